// Package draws defines a batch of the output of an external program: the columns of chains, of
// kernel transitions and of estimates, the properties of the task that their checks need, and the
// precision of their numbers. Package files reads batches, and package programs receives them from
// a running program.
//
// It knows no file format, and never tests a distribution.
package draws

import (
	"bytes"
	"context"
	"math"
	"strconv"
	"strings"
)

// Digits counts the digits of a written number.
type Digits struct {
	significant int  // from the first that is not zero to the last that is written
	decimals    int  // after the decimal point, shifted by the exponent
	whole       bool // whether there is neither a decimal point nor an exponent
}

// ParseNumber reads a finite decimal number like selector.ParseNumber, and counts its digits. It
// works on bytes, takes a few nanoseconds, and keeps the sign of zero.
func ParseNumber(cell []byte) (v float64, d Digits, ok bool) {
	i := 0
	if len(cell) > 0 && (cell[0] == '-' || cell[0] == '+') {
		i = 1
	}
	start := i
	var mantissa uint64 // without the zeros at its end, and meaningless above 19 digits
	zeros := 0          // how many of them there are
	// how many digits there are, and how many of them stand before the point
	written := 0
	point := -1
	for ; i < len(cell); i++ {
		if c := cell[i] - '0'; c <= 9 {
			written++
			switch {
			case c > 0:
				for ; zeros > 0; zeros-- {
					mantissa *= 10
				}
				mantissa = 10*mantissa + uint64(c)
				d.significant++
			case d.significant > 0:
				zeros++
				d.significant++
			}
		} else if cell[i] == '.' && point < 0 {
			point = written
		} else {
			break
		}
	}
	if written == 0 {
		return 0, Digits{}, false
	}
	if point >= 0 {
		d.decimals = written - point
	}
	d.whole = i-start == written
	if i < len(cell) {
		exponent, ok := parseExponent(cell[i:])
		if !ok {
			return 0, Digits{}, false
		}
		d.whole = false
		d.decimals -= exponent
	}
	if shift := d.decimals - zeros; d.significant-zeros <= 19 && mantissa < 1<<53 && shift >= -22 &&
		shift <= 22 {
		return signed(scaled(mantissa, shift), cell[0] == '-'), d, true
	}
	v, err := strconv.ParseFloat(string(cell), 64)
	return v, d, err == nil
}

// ParseTruth reads a logical value as R, Python and JSON write it, as 1 for true and 0 for false.
func ParseTruth(text string) (v float64, ok bool) {
	if strings.EqualFold(text, "true") {
		return 1, true
	}
	return 0, strings.EqualFold(text, "false")
}

// parseExponent reads an e, a sign and digits. An exponent beyond all that float64 knows is cut,
// since it is only counted with.
func parseExponent(text []byte) (exponent int, ok bool) {
	if text[0] != 'e' && text[0] != 'E' {
		return 0, false
	}
	text = text[1:]
	negative := false
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		negative = text[0] == '-'
		text = text[1:]
	}
	if len(text) == 0 {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		exponent = min(10*exponent+int(c-'0'), 1<<20)
	}
	if negative {
		exponent = -exponent
	}
	return exponent, true
}

// scaled returns a mantissa below 2^53 times a power of ten of at most 22 either way, correctly
// rounded: both are exact float64, and there is one operation.
func scaled(mantissa uint64, decimals int) float64 {
	powers := [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
		1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}
	if decimals >= 0 {
		return float64(mantissa) / powers[decimals]
	}
	return float64(mantissa) * powers[-decimals]
}

func signed(v float64, negative bool) float64 {
	if negative {
		return -v
	}
	return v
}

// Precision says with how many digits a source writes its log weights, increments or estimates.
// Values in text are often rounded to a fixed number of decimals or of significant digits; the text
// does not show which. The zero Precision is that of float64.
type Precision struct {
	Decimals    int // the most digits after the decimal point in the rows so far; 0 is unknown or none
	Significant int // the most significant digits in the rows so far; 0 is unknown, and 17 are a float64
	// the bits of the mantissa of a binary file with fewer than float64, 24 for float32; else 0
	Bits int
}

// DoubleDigits is the number of significant digits that give a float64 nearly exactly.
const DoubleDigits = 15

// leastRounded is the number of digits from which on a whole number may have been rounded to be
// one, as 123456.7 is by %g.
const leastRounded = 6

// CountDigits counts the digits of another written number. It ignores texts that are not numbers.
func (p *Precision) CountDigits(number []byte) {
	if _, d, ok := ParseNumber(number); ok {
		p.Add(d)
	}
}

// Add counts the digits of another number. A whole number of few digits gives no information: if
// all numbers are whole they are exact, and otherwise the others show the rounding.
func (p *Precision) Add(d Digits) {
	if d.whole && d.significant < leastRounded {
		return
	}
	p.Decimals = max(p.Decimals, d.decimals)
	p.Significant = max(p.Significant, d.significant)
}

// Rounding returns a bound on the rounding of a written value: half a unit of its last digit, and
// zero if the source writes float64 in full. It is that of the coarser of the two ways to round. A
// source that rounds to decimals can have more than 15 significant digits if a value is large, but
// its small values are still rounded.
func (p Precision) Rounding(v float64) float64 {
	if math.IsInf(v, 0) {
		return 0
	}
	r := 0.0
	if p.Bits > 0 {
		const smallest = 0x1p-150 // half of the smallest float32, below which its digits get fewer
		r = max(smallest, math.Ldexp(math.Abs(v), -p.Bits))
	}
	if p.Decimals > 0 {
		r = max(r, 0.5*math.Pow10(-p.Decimals))
	}
	if p.Significant > 0 && p.Significant < DoubleDigits && v != 0 {
		r = max(r, 0.5*math.Pow10(decade(v)+1-p.Significant))
	}
	return r
}

// decade returns the exponent of the first significant decimal digit of a finite number that is not
// zero: 2 for 123. It is read off the number as it is written, because the logarithm of 1e-122 may
// come out just below -122.
func decade(v float64) int {
	var digits [32]byte
	text := strconv.AppendFloat(digits[:0], v, 'e', -1, 64)
	exponent, err := strconv.Atoi(string(text[bytes.IndexByte(text, 'e')+1:]))
	if err != nil {
		panic(err) // FormatFloat writes a whole number there
	}
	return exponent
}

// Batch holds consecutive rows of a source, as columns. A missing column is nil. A batch is valid
// until the next one of its source, which may reuse the memory.
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
	LogZ                                  bool
}

// Space has the properties of a task that a reader needs to check states.
type Space struct {
	States int
	// of a lattice, slowest axis first, by which coordinates are turned into numbers; nil on a
	// graph
	Sides         []int
	Distributions int // T
}

// Source yields batches, from a file, a stream or a running program.
type Source interface {
	// Name names the source in messages.
	Name() string
	// Columns returns the columns of the batches.
	Columns() Columns
	// Precision returns the precision of the log weights or the estimates. It is known after the
	// first batch.
	Precision() Precision
	// IncrementPrecision returns the precision of the increments.
	IncrementPrecision() Precision
	// Next returns at most the given number of next rows, and io.EOF after the last. Any other
	// error ends the source.
	Next(ctx context.Context, rows int) (*Batch, error)
}
