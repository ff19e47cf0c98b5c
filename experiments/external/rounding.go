package external

// ExactRounding is the rounding up to which numbers count as written with all their digits.
const ExactRounding = 1e-15
