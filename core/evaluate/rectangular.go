package evaluate

import (
	"fmt"
	"math"
)

var negInf = math.Inf(-1)

func newRectangular(e *Evaluator) (nature, error) {
	return nil, fmt.Errorf("uncertainty sets of kind %q are not solved yet", e.M.Problem.Uncertainty.Kind)
}
