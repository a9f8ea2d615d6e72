package certify

import "fmt"

func (in *instance) rectangular(pi []float64) ([]iv, error) { return nil, fmt.Errorf("todo") }
