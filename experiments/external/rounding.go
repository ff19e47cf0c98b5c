package external

// ExactRounding is the rounding of numbers written to all digits.
const ExactRounding = 1e-15
