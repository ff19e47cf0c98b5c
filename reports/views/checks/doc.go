// Package checks answers: what does a check show? It turns what the checkers of samplers, programs, models and of breadboard itself have
// found into reports, whose fault says that a check has failed. It never tests anything itself.
package checks
