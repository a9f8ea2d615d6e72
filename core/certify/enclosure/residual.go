package enclosure

import (
	"math"
	"math/big"
)

// Block is a list of numbers, each of which is its float64 within 3 unit roundoffs u = 2^-53
// of it, and 2^-1072: the coefficients of an inequality.
type Block struct{ v []float64 }

// Ratio appends num/den, for den > 0: 1 roundoff.
func (b *Block) Ratio(num, den *big.Int) { b.v = append(b.v, Ratio(num, den)) }

// Taken appends -xy, for numbers to which these are the nearest float64s, |y| <= 2: a roundoff of
// each and of the product.
func (b *Block) Taken(x, y float64) { b.v = append(b.v, -(x * y)) }

// One appends 1.
func (b *Block) One() { b.v = append(b.v, 1) }

// Residual is r = f - Σ_i y_i a_i, by column, of a linear function f and rows a_i that are
// times y_i, and Σ_i y_i·(end of row i): for x that satisfy the rows, f·x = r·x + Σ y_i a_i·x is
// bounded by them. A term of r is added with a coefficient within 3 roundoffs of its own, one of its product with
// y, and one of the sum; f has two terms in a column at most.
type Residual struct {
	r, abs []float64 // r_j and Σ of the magnitudes of its terms
	width  int       // columns of a block
	used   []bool    // by block: some term was taken; in others all is 0
	rows   int       // taken so far
	weight float64   // Σ_i |y_i|, roughly
	total  Total     // Σ_i y_i·(end of row i), rounded down
}

// Reset begins with f = 0 and no rows, on blocks of columns of one width: as many as the first time.
func (a *Residual) Reset(blocks, width int) {
	if a.used == nil {
		a.r, a.abs = make([]float64, blocks*width), make([]float64, blocks*width)
		a.used, a.width = make([]bool, blocks), width
	}
	for k, used := range a.used {
		if used {
			clear(a.r[k*width:][:width])
			clear(a.abs[k*width:][:width])
		}
	}
	clear(a.used)
	a.rows, a.weight, a.total = 0, 0, Total{}
}

// Aim adds t x_j to f.
func (a *Residual) Aim(j int, t float64) {
	a.used[j/a.width] = true
	a.r[j] += t
	a.abs[j] += math.Abs(t)
}

// Begin takes a row lo <= a·x <= hi times y, with the end that the sign of y asks for, and
// reports whether it counts: a multiplier that asks for an infinite end is one of 0.
func (a *Residual) Begin(y float64, ends Interval) bool {
	end := ends.lo
	if y < 0 {
		end = ends.hi
	}
	if y == 0 || math.IsInf(end, 0) {
		return false
	}
	a.rows++
	a.weight += math.Abs(y)
	a.least(y * end)
	return true
}

// least adds a number that is no less than what rounds to x.
func (a *Residual) least(x float64) { a.total.Add(Point(down(x))) }

// Row takes the coefficients of the row begun, times y, at some columns of the block from at.
func (a *Residual) Row(at int, places []int, y float64, b *Block) {
	a.used[at/a.width] = true
	for j, i := range places {
		t := y * b.v[j]
		a.r[at+i] -= t
		a.abs[at+i] += math.Abs(t)
	}
}

// Pair takes q y times the coefficients f at columns from a to b, and e + f, rounded, at k, all of the block from at.
func (a *Residual) Pair(at, from, to, k int, y, q, e, f float64) {
	a.used[at/a.width] = true
	y *= q
	for i := from; i < to; i++ {
		v := f
		if i == k {
			v += e
		}
		t := y * v
		a.r[at+i] -= t
		a.abs[at+i] += math.Abs(t)
	}
}

// Bound holds f·x for every x in the box, 0 <= x, that satisfies the rows taken, from below
// (Neumaier and Shcherbina 2004):
//
//	f·x = Σ_i y_i a_i·x + r·x >= Σ_i y_i end_i + Σ_j min(r_j lo_j, r_j hi_j).
//
// The float64 r_j differs from the exact one by at most (rows + 2 + 3 + 1)·u·Σ|terms| to first
// order: one addition a row and two for f, the coefficient's own error and its product with y. Twice
// that is allowed for. A coefficient below the normal range is off by up to 2^-1072
// more, which y multiplies. Since x_j >= 0, r_j may be replaced by a lower bound.
// In a block of which no term was taken it is 0.
func (a *Residual) Bound(box func(j int) Interval) Interval {
	k, faint := float64(a.rows+6)*Ulp, up(a.weight*0x1p-1069)+underflow
	for j := 0; j < len(a.r); j++ {
		if !a.used[j/a.width] {
			j += a.width - 1
			continue
		}
		low, x := down(a.r[j]-up(k*a.abs[j]+faint)), box(j)
		if low >= 0 {
			a.least(low * x.lo)
		} else {
			a.least(low * x.hi)
		}
	}
	return a.total.Bounds().Upto(Line())
}
