package interchange_test

import (
	"os"
	"strings"
	"testing"

	"rcmdplab/core/interchange"
)

// TestTheGuideHasTheListOfFormats: the rows of the guide's table are those of
// Formats, word for word.
func TestTheGuideHasTheListOfFormats(t *testing.T) {
	page, err := os.ReadFile("../../site/guide/format.html")
	if err != nil {
		t.Fatal(err)
	}
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	var rows strings.Builder
	for _, f := range interchange.Formats() {
		if f.Reads && f.ID != "rcmdp" {
			rows.WriteString("<tr><th scope=\"row\">" + escape.Replace(f.Title) + "</th><td>" + escape.Replace(f.About) + "</td></tr>\n")
		}
	}
	if !strings.Contains(string(page), "<table class=\"lines\"><tbody>\n"+rows.String()+"</tbody></table>") {
		t.Errorf("site/guide/format.html lacks the list of formats; it is\n%s", rows.String())
	}
}
