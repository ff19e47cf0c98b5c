// Package sweeps answers: what does a sweep show? It turns plans, states and merged results of sweeps into reports, draws what a
// specification asks for, and compares two results. It runs no sweep.
package sweeps
