package lp

// What the tests write: rows of one coefficient a column, columns added later.

// AddDenseRow is AddRow for one coefficient a column.
func (p *LP) AddDenseRow(a []float64, lo, hi float64) int {
	cols, vals := listed(a)
	return p.AddRow(cols, vals, lo, hi)
}

// SetDenseRow is SetRow for one coefficient a column.
func (p *LP) SetDenseRow(i int, a []float64) {
	cols, vals := listed(a)
	p.SetRow(i, cols, vals)
}

// AddColumn adds a column with its coefficients in the rows that exist and
// returns its number.
func (p *LP) AddColumn(lo, hi, cost float64, rows []int32, coef []float64) int {
	p.checkRange(lo, hi)
	j := p.addColumn(lo, hi, cost)
	var cols []int32
	var vals []float64
	for k, i := range rows {
		cols, vals = cols[:0], vals[:0]
		for q := p.ptr[i]; q < p.ptr[i]+p.size[i]; q++ {
			if p.coef[q] != 0 {
				cols = append(cols, p.idx[q])
				vals = append(vals, p.coef[q]/(p.rs[i]*p.cs[p.idx[q]]))
			}
		}
		p.SetRow(int(i), append(cols, int32(j)), append(vals, coef[k]))
	}
	return j
}

// listed is the non-zeros of a dense row.
func listed(a []float64) (cols []int32, vals []float64) {
	for j, v := range a {
		if v != 0 {
			cols, vals = append(cols, int32(j)), append(vals, v)
		}
	}
	return cols, vals
}
