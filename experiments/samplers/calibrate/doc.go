// Package calibrate answers: is the effective sample size of a chain what the errors of its averages say, and do diagnostics alarm where
// chains fail?
package calibrate
