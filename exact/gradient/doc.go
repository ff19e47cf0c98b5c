// Package gradient answers: how do J, B and the one-sided divergences change when a point of the schedule is moved?
// It gives exact derivatives with respect to every beta, from one sweep forward and one backward. It never looks for
// the best schedule; package experiments/placement does.
package gradient
