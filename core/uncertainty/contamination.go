package uncertainty

// contamination is {(1-R) q + R p : p any row of the support}: the share R goes
// to the largest z. O(n).
type contamination struct{ share []float64 }

func (x *contamination) worst(p []float64, i int, q, z []float64, _ []int32) Answer {
	r := x.share[i]
	first, bottom := 0, z[0]
	for j, y := range z {
		if y > z[first] {
			first = j
		} else if y < bottom {
			bottom = y
		}
	}
	top, value := z[first], 0.0
	for j, y := range z {
		p[j] = (1 - r) * q[j]
		value += p[j] * (y - top)
	}
	p[first] += r
	return answer(len(z), top, top-bottom, value, value)
}
