package smc

// Contradiction is what the study asks of each row.
func Contradiction(r *Row) error { return r.contradiction() }
