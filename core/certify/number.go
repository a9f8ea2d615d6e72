package certify

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"

	"rcmdplab/core/certify/enclosure"
)

// interval is what is known of a number.
type interval = enclosure.Interval

var zero, one interval = enclosure.Interval{}, enclosure.Point(1)

// finiteAll reports whether all numbers are.
func finiteAll(lists ...[]float64) bool {
	for _, v := range lists {
		for _, x := range v {
			if !enclosure.Point(x).Finite() {
				return false
			}
		}
	}
	return true
}

// ErrLeft is returned when a check was left before its end.
var ErrLeft = errors.New("the check was left before its end")

// refused is why something does not hold. A check ends at the first such thing: what finds it refuses, and what the checker
// was asked catches that in one place. So functions return only what they have proved, and no caller can pass over what another has refused.
type refused struct{ error }

func refusal(format string, args ...any) refused { return refused{fmt.Errorf(format, args...)} }

func refuse(format string, args ...any) { panic(refusal(format, args...)) }

// caught does part of a check, and is why it is refused; nil where it holds.
func caught(part func()) (why error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case refused:
			why = p.error
		default:
			panic(p)
		}
	}()
	part()
	return nil
}

// within, deferred, says of what is refused meanwhile where that is, as it is told then.
func within(where func() string) {
	switch p := recover().(type) {
	case nil:
	case refused:
		if p.error != ErrLeft {
			p = refusal("%s %w", where(), p.error)
		}
		panic(p)
	default:
		panic(p)
	}
}

// onwards asks more when it is due, and leaves the check where that says no.
func onwards(due bool, more func() bool) {
	if due && !more() {
		panic(refused{ErrLeft})
	}
}

// span is what is proved of a return, in exact fractions: lo <= J <= hi; nil where there is no end.
type span struct{ lo, hi *big.Rat }

// spanOf is an interval as that.
func spanOf(a interval) span {
	end := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) } // nil of an infinite one
	return span{end(a.Lo()), end(a.Hi())}
}

// frontier visits states, each once, in the order in which they are come to.
type frontier struct {
	seen  []bool // by state
	queue []int  // states, in order
}

// come adds states that are to be visited.
func (w *frontier) come(to ...int) {
	for _, s := range to {
		if !w.seen[s] {
			w.seen[s], w.queue = true, append(w.queue, s)
		}
	}
}

// states gives all that are come to, also meanwhile.
func (w *frontier) states(yield func(s int) bool) {
	for k := 0; k < len(w.queue) && yield(w.queue[k]); k++ {
	}
}

// pace asks more after about as much work as takes a millisecond in a page. It must be asked wherever work adds up.
type pace struct {
	more  func() bool // false: the check is left
	since int         // numbers worked on since it was asked
}

func (p *pace) going(work int) {
	if p.since += work; p.since >= 1<<17 {
		p.since = 0
		onwards(true, p.more)
	}
}

// seldom asks more every 16th time: what goes through a large model asks more often than
// a small one takes long.
func seldom(more func() bool) func() bool {
	asked := 0
	return func() bool {
		asked++
		return asked%16 != 0 || more()
	}
}

// always goes on.
func always() bool { return true }

// plural counts things in words.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
