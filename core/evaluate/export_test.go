package evaluate

// Solves is the number of linear solves so far.
func (e *Evaluator) Solves() int64 { return e.inner.(*rectangular).steps }
