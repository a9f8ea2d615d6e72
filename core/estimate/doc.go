// Package estimate makes robust models from logs: trajectories or counts become
// a nominal kernel and an uncertainty set around it, with the formula, where it
// comes from and what it guarantees.
//
// Read makes Data of a table, Run makes a Result of Data. Random numbers and
// quantiles are gonum's; the same data, options and seed give the same model.
package estimate
