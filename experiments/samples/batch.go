package samples

import "context"

// Batch is a number of consecutive rows of a source, as columns. A column that the source does not have is nil. A batch
// belongs to its source, which may use its memory again for the next one.
type Batch struct {
	First int // the number of the first row in the source, counted from 0
	Rows  int

	LogW       []float64   // log weights in nats, as they are written; -Inf and +Inf are legal, NaN is not
	XFirst     []int32     // x_1 of each chain
	XLast      []int32     // x_T of each chain
	Path       [][]int32   // Path[t-1] holds x_t of each chain, t = 1..T; XFirst and XLast are its ends
	Increments [][]float64 // Increments[t-2] holds the increment of log w that stage t adds, t = 2..T

	Beta     []float64 // the inverse temperatures of single transitions
	From, To []int32   // the states of single transitions

	LogZ []float64 // logarithms of estimates of Z
	SE   []float64 // their standard errors, in nats
}

// Columns says which columns every batch of a source has.
type Columns struct {
	LogW, XFirst, XLast, Path, Increments bool
	Transitions                           bool // Beta, From and To
	LogZ, SE                              bool
}

// Space is what a reader must know about the task to check states.
type Space struct {
	States        int
	Sides         []int // of a lattice, slowest axis first, by which coordinates are turned into numbers; nil on a graph
	Distributions int   // T
}

// Source yields batches, from a file, a stream or a program that is running.
type Source interface {
	// Name names the source in messages.
	Name() string
	// Columns says what the batches hold.
	Columns() Columns
	// Precision says how exactly the log weights or the estimates are given. It is known when the first batch has been read.
	Precision() Precision
	// IncrementPrecision says the same of the increments.
	IncrementPrecision() Precision
	// Next returns the next rows, at most so many of them, and io.EOF after the last. Any other error ends the source.
	Next(ctx context.Context, rows int) (*Batch, error)
}
