package grid

// TooLarge is the error of a question that has an answer and is refused for its size alone. Its text is that of Err. It stands here since every
// package that refuses can reach it: the program knows the whole question, and adds what answers something near.
type TooLarge struct {
	What        string  // what would be too many or too much, as "states"
	Need, Limit float64 // how many there would be, and how many are allowed
	Err         error
}

// Error returns the text of Err.
func (e TooLarge) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e TooLarge) Unwrap() error { return e.Err }
