// Package certify is an independent checker. A problem document, a policy and a
// certificate enter; a Report leaves that says what holds, with a sentence for
// each thing checked. It shares no code with what searches: it evaluates
// policies, rebuilds relaxations and recomputes bounds by itself, with an error
// term for every rounding, and solves no linear program.
//
// # Who may forge
//
// A certificate, and the problem and the policy that come with it, may have been written
// by anybody: a link, a file, an imported run, a partner whose parts of a proof are merged,
// another build. Whoever forges knows this code, chooses the problem too, to its last
// digit, and needs one false claim accepted. He does not choose what runs: this code, the
// compiler and the processor's arithmetic (IEEE 754, rounding to the nearest) are taken to
// be right, and a problem is known by its SHA-256. What is accepted is said of the problem
// as it was given, not of what somebody meant by it.
//
// So a number of a certificate or of the problem is an enclosure.Interval from where it enters: one
// that is not finite is the whole line, which proves nothing, and no rounding can be left out, as the
// compiler knows no sum of intervals but the one that rounds outwards. A problem with numbers below the
// normal range is refused (enclosure.Faint); what a part of a proof may use is handed
// to it and ends with it; what a claim allows has a cap and is said.
//
// What finds that something does not hold refuses, which ends the check (number.go): a function returns only what it has proved,
// and no caller can pass over what another has refused.
//
// # What a check costs
//
// Of a text each byte becomes at most some 50 in memory (mostContent). A check takes a few
// times what document and certificate do, but for exact fractions, as long as the longest
// decimals of a row, ranges of boxes to come (mostRanges) and tensors (mostTensor,
// mostCopies), beyond which a proof is refused. Its time is at most the size of the
// certificate times that of the model and its kernels (labour), and that of Evaluate. The
// caller is asked between small steps whether to go on; what was left proves nothing.
//
// # What is certified
//
// Everything is proved for one exact instance: each number of the document is
// the decimal that a person would type for it, the shortest that reads back as
// the same float64; rows that miss 1 by rounding are closed by their first
// largest entry (instance.go). The policy is rounded to the grid of 2^-48 in the
// same way (policy.go) and given back so.
//
// # Upper ends
//
// The returns of a policy over a small finite set are exact rational numbers, by one
// fraction-free elimination a kernel (exact.go). All others are enclosed by the residuals
// of values of the policy in its robust Bellman equation (linear_policy.go), with rows of the
// set from below and weak duals of nature's problem from above (rowset.go), in
// intervals (image.go); where that leaves something open in a small model, by
// residuals in fractions (pinned.go, operator.go).
//
// # Lower ends
//
// A Certificate is a tree of boxes of policies. For each box valid inequalities
// are rebuilt from the instance and the ranges known (relax.go), combined with
// the multipliers of the certificate, whatever they are, to bounds in the manner
// of Neumaier and Shcherbina, and their consequences drawn (boxes.go). Models of
// an infinite set are accepted when they are members of it (member.go).
//
// # Arithmetic
//
// What is known of a number has a room of its own, enclosure: intervals rounded outwards,
// means, exponentials and logarithms of them; the residuals of rows times multipliers, for boxes; blocks within a
// radius, for tensors; fractions. What
// is only guessed has another, guess, whose numbers enter as any others do. This room neither adds, compares nor
// rounds a float64 (comparisons_test.go). Results are deterministic; the last bits of proved numbers
// may differ between machines, the statements do not.
package certify
