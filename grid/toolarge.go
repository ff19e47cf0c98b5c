package grid

// TooLarge is the error of a question that has an answer and is refused for its size alone. Its text is that of Err. It stands here since every
// package that refuses can reach it: whoever knows the whole question looks for the nearest one that is not too large.
type TooLarge struct {
	What        string  // what would be too many or too much, as "states"
	Need, Limit float64 // how many there would be, and how many are allowed
	Option      string  // the option that alone makes it too large, as "T"; empty where no value of it is known to be small enough
	Most        int     // the largest value of Option that is small enough, with all other options as they are
	Err         error
}

// Error returns the text of Err.
func (e TooLarge) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e TooLarge) Unwrap() error { return e.Err }
