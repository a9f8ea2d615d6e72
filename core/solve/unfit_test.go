package solve

import (
	"strings"
	"testing"
)

// A method says that it cannot run exactly when running it ends in a refusal,
// and in the same words.
func TestUnfitIsWhatRunRefuses(t *testing.T) {
	for _, name := range []string{"a_seed0", "c_seed0", "rect_l1", "machine_repair"} {
		ev := fixtureEvaluator(t, name)
		for _, a := range Algorithms() {
			if a.ID == "evaluate" {
				continue // refuses for want of a policy, on any problem
			}
			reason := ""
			if a.Unfit != nil {
				reason = a.Unfit(ev.M)
			}
			for p := range a.Run(ev, a.Defaults()) { // the first record is enough
				if refused := p.Status == Failed; refused != (reason != "") || refused && !strings.Contains(p.Note, reason) {
					t.Errorf("%s on %s: unfit %q, run says %v %q", a.ID, name, reason, p.Status, p.Note)
				}
				break
			}
		}
	}
}
