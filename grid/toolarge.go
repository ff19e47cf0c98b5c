package grid

// TooLarge is the error for a question that cannot be answered only because of its size. Its text
// is the text of Err. The command line adds advice on a similar question that can be answered.
type TooLarge struct {
	What        string  // what would be too many or too much, as "states"
	Need, Limit float64 // how many there would be, and how many are allowed
	Err         error
}

// Error returns the text of Err.
func (e TooLarge) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e TooLarge) Unwrap() error { return e.Err }
