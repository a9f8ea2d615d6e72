package certify

import "math/big"

// A problem with a horizon is judged unrolled, by the states and rows that model makes of it by time, as every
// method has them: what is independent here is how a claim about them is judged. Its discount is γ/ρ, and its costs
// at time t are ρ^t times those of the document, exactly: then V'_t = ρ^t V_t is the same problem, see
// model.Unrolled. The price of KL at time t is ρ^(t+1) times the document's, since γ ρ^t = (γ/ρ) ρ^(t+1).

// grow reads ρ.
func (in *instance) grow() {
	rho := new(big.Rat).SetFloat64(in.p.Growth())
	if rho == nil || rho.Cmp(big.NewRat(1, 1)) == 0 {
		return
	}
	in.gamma.Quo(in.gamma, rho)
	g := big.NewRat(1, 1)
	for range in.p.Horizon + 2 {
		in.growth = append(in.growth, g)
		g = new(big.Rat).Mul(g, rho)
	}
}

// grown is a cost of state s of the document as it is here.
func (in *instance) grown(s int, c *big.Rat) *big.Rat {
	if in.growth == nil {
		return c
	}
	return new(big.Rat).Mul(c, in.growth[in.p.Time(s)])
}

// priceAt is the price of KL in the row of pair i, for a weight of 1.
func (in *instance) priceAt(i int) *big.Rat {
	if in.growth == nil {
		return in.temperature
	}
	return new(big.Rat).Mul(in.temperature, in.growth[in.p.Time(in.State[i])+1])
}

// grows is what costs of state s are multiplied by.
func (x *image) grows(s int) interval {
	if x.grown == nil {
		return one
	}
	return x.grown[x.p.Time(s)]
}

// growths goes from the least to the largest of these.
func (x *image) growths() interval {
	if x.grown == nil {
		return one
	}
	return one.Hull(x.grown[x.p.Horizon])
}

// pricedAt is the price of KL in the row of pair i, for a price of the document.
func (x *image) pricedAt(i int, price interval) interval {
	if x.grown == nil {
		return price
	}
	return price.Mul(x.grown[x.p.Time(x.State[i])+1])
}
