package particles

// Contradiction is what Run asks of each row.
func Contradiction(r *Row) error { return r.contradiction() }
