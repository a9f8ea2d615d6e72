// Package core is the map of the solver; its sub-packages are the solver.
//
// # The problem
//
// A robust constrained Markov decision process (RCMDP): states s, actions a
// (not all available everywhere), discount γ, initial distribution μ, costs
// c_0 .. c_N, thresholds b_1 .. b_N and a set U of transition kernels. Wanted
// is a stationary stochastic policy π that solves
//
//	min_π max_{P ∈ U} J_{c_0,P}(π)  subject to  max_{P ∈ U} J_{c_n,P}(π) <= b_n, n = 1..N,
//
// J_{c,P}(π) = E[Σ_t γ^t c(s_t, a_t)] from s_0 ~ μ.
//
// # What is known about it
//
// The paper that proposes EpiRC-PGS withdrew its guarantee: stationary points
// of the maximal violation need not be global (the erratum on its first page;
// arXiv 2604.21177), and finding an ε-optimal policy is NP-hard. So every
// method here is a search, and every claim of quality is a separate proof:
// package bound finds lower bounds, package certify checks them with other
// code. Only a checked certificate turns a status into "proved".
//
// # The rooms, in the order data flows
//
//	jsontext     JSON text without reflection; beside it sha256, the digest
//	model        the document rcmdp/1, its faults, layouts, kernels, policies
//	interchange  models in other tools' formats and in tables, read and written
//	estimate     logs and counts; a nominal kernel and a set around it
//	proof        what is claimed and why: one value, one document
//	uncertainty  nature: the worst row of a rectangular set
//	vector       the inner loops over flat slices, to the last bit
//	evaluate     one policy: returns, occupancy measures, gradients, error bounds
//	simulate     one policy, episode by episode
//	lp           a small bounded-variable simplex with certificates
//	solve        the search methods
//	bound        lower bounds and proofs of infeasibility; bound/tensor for few policies
//	certify      the independent checker
//	decide       the default method: search, bound and check in one sequence, and
//	             the one place that says what may be claimed
//	instance     the gallery and the paper's generators
//	experiment   many problems × many methods, aggregated
//
// deps_test.go holds who may import whom. The Example reads a document, solves it
// and has the answer checked.
//
// # Symbols
//
//	S, A, N, M   states, actions, constraints, kernels of a finite set
//	γ, H         discount, effective horizon 1/(1-γ)
//	μ            initial distribution
//	c_n, b_n     one-step costs and thresholds; 0 is the objective
//	P, P^π       kernel; its mixture by the policy
//	V, Q         values by state and by state-action pair
//	d            occupancy measure. Normalised (sums to 1) wherever a function
//	             says so; gradients use the unnormalised one (sums to H)
//	J_{c,U}      worst-case return max_{P ∈ U} J_{c,P}
//	violation    J - b; positive is bad
//	Δ_{b0}       max(J_{c_0,U} - b0, max_n J_{c_n,U} - b_n)
//	b0           epigraph threshold on the objective
//
// # Conventions
//
// Inside, every cost is minimised and thresholds are discounted totals; the
// person's senses, lower bounds and averages are undone in model.Standard and
// nowhere else. Everything indexed by state and action is a flat slice over the
// available pairs, in the order of model.Layout. Undefined numbers are NaN.
// Nothing in core reads a clock, prints, starts a goroutine or keeps global
// state; methods are iterators, and whoever pulls decides when to stop.
package core
