package guess

import "math"

// Spread writes a row that is listed by states, ascending, at the places of next; what
// next does not list is left out, and what is negative is 0.
func Spread(dst []float64, next, listed []int, prob []float64) []float64 {
	k := 0
	for _, s := range next {
		for k < len(listed) && listed[k] < s {
			k++
		}
		p := 0.0
		if k < len(listed) && listed[k] == s {
			p = max(0, prob[k])
		}
		dst = append(dst, p)
	}
	return dst
}

// far is by how much an entry differs from another that is not the same up to rounding.
const far = 1e-13

// Given is the place of the highest y that row p takes from q, -1 where it takes nothing.
func Given(p, q, y []float64) int {
	k := -1
	for j, x := range p {
		if x < q[j]-far && (k < 0 || y[j] > y[k]) {
			k = j
		}
	}
	return k
}

// Taken is the place of the lowest y that row p puts more than its lower end on, -1
// where it puts more nowhere.
func Taken(p []float64, low func(j int) float64, y []float64) int {
	k := -1
	for j, x := range p {
		if x > low(j)+far && (k < 0 || y[j] < y[k]) {
			k = j
		}
	}
	return k
}

// line fits f(j) = slope·(y_j - level) through the entries of p of
// lowest and highest y that pass: the dual variables of a smooth ball.
func line(p, y []float64, f func(j int) float64) (slope, level float64) {
	a, b := -1, -1
	for j, x := range p {
		if x > 1e-14 {
			if a < 0 || y[j] < y[a] {
				a = j
			}
			if b < 0 || y[j] > y[b] {
				b = j
			}
		}
	}
	if a < 0 || y[a] == y[b] {
		return math.NaN(), math.NaN()
	}
	slope = (f(b) - f(a)) / (y[b] - y[a])
	return slope, y[a] - f(a)/slope
}

func positive(x float64) bool { return x > 0 && !math.IsInf(x, 1) }

// Theta is the dual variable of a ball of divergence at row p: p/q ~ e^{y/θ}. Where that
// says nothing it is that of a small ball, the deviation of a normal variable.
func Theta(p, q, y []float64, radius float64) (theta float64, ok bool) {
	slope, _ := line(p, y, func(j int) float64 { return math.Log(p[j] / q[j]) })
	if theta = 1 / slope; positive(theta) {
		return theta, true
	}
	m, s := 0.0, 0.0
	for j, z := range y {
		m += q[j] * z
	}
	for j, z := range y {
		s += q[j] * (z - m) * (z - m)
	}
	theta = math.Sqrt(s / (2 * radius))
	return theta, positive(theta)
}

// CutChi2 is where p/q - 1 = t (y - η) reaches -1; false where it nowhere does.
func CutChi2(p, q, y []float64) (cut float64, ok bool) {
	slope, level := line(p, y, func(j int) float64 { return p[j]/q[j] - 1 })
	cut = level - 1/slope
	return cut, positive(slope) && !math.IsNaN(cut) && !math.IsInf(cut, 0)
}

// CutL2 is where p - q = t (y - η) reaches -q, by entry, and η; false, with the mean of y,
// where it nowhere does.
func CutL2(cut, p, q, y []float64) (cuts []float64, level float64, ok bool) {
	cut = cut[:0]
	slope, level := line(p, y, func(j int) float64 { return p[j] - q[j] })
	if !positive(slope) || math.IsNaN(level) || math.IsInf(level, 0) {
		level = 0
		for _, x := range y {
			level += x / float64(len(y))
		}
		return cut, level, false
	}
	for _, x := range q {
		cut = append(cut, level-x/slope)
	}
	return cut, level, true
}

// Nearer moves row p towards q so that a distance d, 0 there and convex, becomes the limit or
// less; false where that is q itself.
func Nearer(p, q []float64, d, limit float64) bool {
	t := 1.5*(1-limit/d) + 1e-15
	if !(t < 1) {
		return false
	}
	for j, x := range q {
		p[j] = (1-t)*p[j] + t*x
	}
	return true
}

// Inward moves row p a share t of the way to the row that is everywhere at the same share
// between the ends, and gives the place of the most inward entry, -1 among none.
func Inward(p []float64, t float64, n int, ends func(j int) (lo, hi float64)) int {
	sum, room := 0.0, 0.0
	for j := range n {
		lo, hi := ends(j)
		sum += lo
		room += hi - lo
	}
	share := 0.0
	if room > 0 {
		share = min(1, max(0, (1-sum)/room))
	}
	k, most := -1, 0.0
	for j := range n {
		lo, hi := ends(j)
		p[j] = (1-t)*p[j] + t*(lo+share*(hi-lo))
		if inward := min(p[j]-lo, hi-p[j]); k < 0 || inward > most {
			k, most = j, inward
		}
	}
	return k
}

// Mix writes the row a share t of the way from p, which is listed by next, to q, both by state.
func Mix(dst, p, q []float64, t float64, next []int) {
	for j, s := range next {
		dst[s] = (1-t)*p[j] + t*q[s]
	}
}

// Clip appends a row, and 0 for what is negative.
func Clip(dst, p []float64) []float64 {
	for _, x := range p {
		dst = append(dst, max(0, x))
	}
	return dst
}
