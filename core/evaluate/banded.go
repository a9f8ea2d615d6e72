package evaluate

import "rcmdplab/core/vector"

// banded are the factors of a system whose states do not lead far from their own numbers, but for ends, which any may
// lead to: corridors, and grids that are numbered along a side. They stand in for the incomplete ones where play goes
// there and back for so long that the iteration does not arrive. Pivots are sums, see System.
type banded struct {
	wide  int       // how far from the diagonal entries are, at most
	a     []float64 // by row, from column s - wide on: multipliers, then what is right of the diagonal
	pivot []float64 // by row
	known []bool    // by state: its row has nothing off the diagonal, and its column is not in a
}

const (
	mostBand   = 1 << 22 // entries of the factors
	mostEager  = 64      // work to make them next to the entries of the matrix, where a horizon is long
	mostFailed = 1 << 28 // that work where the iteration has failed
)

// thin makes the factors where that is little work next to the iterations of a long horizon.
func (a *sparse) thin() {
	a.exact = false
	if a.rest*patientHorizon < 1 {
		a.eliminate(mostEager * len(a.places.Col))
	}
}

// eliminate makes the factors unless they are there; false where that is more work than so much, or was cut.
func (a *sparse) eliminate(most int) bool {
	if a.exact {
		return false
	}
	n, b := len(a.rhs), &a.band
	b.known = vector.Sized(b.known, n)
	for s := range n {
		b.known[s] = a.places.Ptr[s+1]-a.places.Ptr[s] == 1
	}
	b.wide = 0
	for s := range n {
		for j := a.places.Ptr[s]; j < a.places.Ptr[s+1]; j++ {
			if c := int(a.places.Col[j]); !b.known[c] {
				b.wide = max(b.wide, s-c, c-s)
			}
		}
	}
	w := 2*b.wide + 1
	if n*w > mostBand || n*b.wide*b.wide > most {
		return false
	}
	b.a, b.pivot = vector.Sized(b.a, n*w), vector.Sized(b.pivot, n)
	clear(b.a)
	clear(b.pivot)
	over := make([]float64, n)
	for s := range n {
		row, leads := b.a[s*w:(s+1)*w], false
		for j := a.places.Ptr[s]; j < a.places.Ptr[s+1]; j++ {
			switch c := int(a.places.Col[j]); {
			case c == s:
			case b.known[c]:
				over[s] -= a.val[j]
				leads = true
			default:
				row[c-s+b.wide] = a.val[j]
				leads = true
			}
		}
		if over[s] += a.rest; !leads { // its row may lead to itself
			over[s] = a.val[a.places.Diag[s]]
		}
		for c := max(0, s-b.wide); c < s; c++ {
			at := c - s + b.wide
			if row[at] == 0 {
				continue
			}
			above := b.a[c*w+b.wide+1 : (c+1)*w]
			f := row[at] / b.pivot[c]
			row[at] = f
			over[s] -= f * over[c]
			vector.Axpy(row[at+1:at+1+b.wide], above, -f)
		}
		b.pivot[s] = over[s]
		for _, x := range row[b.wide+1:] {
			b.pivot[s] -= x
		}
		if !a.pace.Spend(2 * b.wide * w) {
			return false
		}
	}
	a.exact = true
	return true
}

// solveBanded replaces x by what the factors make of it.
func (a *sparse) solveBanded(x []float64) {
	b, n, w := &a.band, len(x), 2*a.band.wide+1
	for s := range n {
		if b.known[s] {
			x[s] /= a.val[a.places.Diag[s]]
		}
	}
	for s := range n {
		if b.known[s] {
			continue
		}
		for j := a.places.Ptr[s]; j < a.places.Ptr[s+1]; j++ {
			if c := a.places.Col[j]; b.known[c] {
				x[s] -= a.val[j] * x[c]
			}
		}
		from := max(0, s-b.wide)
		x[s] -= dot(b.a[s*w+from-s+b.wide:s*w+b.wide], x[from:s])
	}
	for s := n - 1; s >= 0; s-- {
		if !b.known[s] {
			to := min(n, s+b.wide+1)
			x[s] = (x[s] - dot(b.a[s*w+b.wide+1:s*w+b.wide+to-s], x[s+1:to])) / b.pivot[s]
		}
	}
}

// solveBandedTransposed is solveBanded for the transpose.
func (a *sparse) solveBandedTransposed(x []float64) {
	b, n, w := &a.band, len(x), 2*a.band.wide+1
	for s := range n {
		if b.known[s] {
			continue
		}
		x[s] /= b.pivot[s]
		to := min(n, s+b.wide+1)
		vector.Axpy(x[s+1:to], b.a[s*w+b.wide+1:s*w+b.wide+to-s], -x[s])
	}
	for s := n - 1; s >= 0; s-- {
		if b.known[s] {
			continue
		}
		from := max(0, s-b.wide)
		vector.Axpy(x[from:s], b.a[s*w+from-s+b.wide:s*w+b.wide], -x[s])
		for j := a.places.Ptr[s]; j < a.places.Ptr[s+1]; j++ {
			if c := a.places.Col[j]; b.known[c] {
				x[c] -= a.val[j] * x[s]
			}
		}
	}
	for s := range n {
		if b.known[s] {
			x[s] /= a.val[a.places.Diag[s]]
		}
	}
}
