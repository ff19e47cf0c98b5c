package grid

// TooLarge is the error of a question that is refused only for its size. Its text is that of Err.
// It is declared here since every package that refuses can import it. The command line adds advice
// on a similar question that can be answered.
type TooLarge struct {
	What        string  // what would be too many or too much, as "states"
	Need, Limit float64 // how many there would be, and how many are allowed
	Err         error
}

// Error returns the text of Err.
func (e TooLarge) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e TooLarge) Unwrap() error { return e.Err }
