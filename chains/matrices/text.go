package matrices

import (
	"bytes"
	"iter"
	"math"
	"strconv"
	"strings"

	"breadboard/chains/selector"
)

// maxLine is the largest number of bytes of a line. Lines of genuine files have far fewer.
const maxLine = 1 << 16

// lines reads a text line by line, and splits each at blanks.
type lines struct {
	rest    []byte
	number  int    // of the line that was read last, from 1 on
	text    string // that line
	fields  []string
	written digits // those of the probabilities that have been read
}

// comment is what a line of a comment begins with.
const comment = "%"

// newLines begins to read a text.
func newLines(data []byte) (*lines, error) {
	text, err := selector.PlainText(data)
	if err != nil {
		return nil, err
	}
	return &lines{rest: text}, nil
}

// nextLine reads the next line that is neither empty nor a comment, and reports whether there is
// one.
func (l *lines) nextLine() (bool, error) {
	for len(l.rest) > 0 {
		end := bytes.IndexByte(l.rest, '\n') + 1
		if end == 0 {
			end = len(l.rest)
		}
		l.number++
		if end > maxLine {
			return false, lineError(l.number, "the line has more than %d bytes; is it the right file?", maxLine)
		}
		l.text = strings.TrimSpace(string(l.rest[:end]))
		l.rest = l.rest[end:]
		switch {
		case l.text == "":
		case strings.HasPrefix(l.text, comment):
		default:
			l.fields = selector.Fields(l.text)
			return true, nil
		}
	}
	return false, nil
}

// promised calls use at each of count lines, and fails if there are fewer, or more. It takes no
// memory before it has checked that the rest of the text can hold that many lines.
func (l *lines) promised(what string, count, shortest uint64, use func() error) error {
	if count > uint64(len(l.rest)+1)/shortest+1 {
		return lineError(l.number,
			"%d %s are promised, and the file has %d bytes for them; it is cut off, or the number is wrong",
			count, what, len(l.rest))
	}
	for read := uint64(0); ; read++ {
		found, err := l.nextLine()
		switch {
		case err != nil:
			return err
		case !found && read < count:
			return lineError(
				l.number,
				"the file ends after %d %s, and %d are promised; it is cut off",
				read,
				what,
				count,
			)
		case !found:
			return nil
		case read == count:
			return lineError(l.number, "there are more than the %d %s that are promised", count, what)
		}
		if err := use(); err != nil {
			return err
		}
	}
}

// parseCount reads a whole number that counts or numbers something.
func (l *lines) parseCount(text, what string) (uint64, error) {
	v, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, lineError(l.number, "%q is not a %s; write a whole number", text, what)
	}
	return v, nil
}

// readState reads the number of a state from first on, of n states, and returns it from 0 on.
func (l *lines) readState(text, what string, first, n int) (int32, error) {
	v, err := l.parseCount(text, what)
	if err != nil {
		return 0, err
	}
	if v < uint64(first) || v > uint64(n-1+first) {
		return 0, lineError(l.number, "%s %d is none of %d to %d", what, v, first, n-1+first)
	}
	return int32(v - uint64(first)), nil
}

// probability reads a number from 0 to 1.
func (l *lines) probability(text string) (float64, error) {
	v, err := l.readNumber(text)
	if err == nil && !(v >= 0 && v <= 1+slack) {
		err = lineError(l.number, "%s is not a probability; a chain's rows have numbers from 0 to 1", text)
	}
	l.written.addNumber(text)
	return v, err
}

// slack is how far above one a probability may be in a text with few digits. The limit from the
// text's own digits is checked when these are known.
const slack = 1e-3

// readNumber reads a finite number.
func (l *lines) readNumber(text string) (float64, error) {
	v, err := selector.ParseNumber(text)
	if err != nil {
		return 0, lineError(l.number, "%v; write a decimal number, as 0.25 or 2.5e-1", err)
	}
	return v, nil
}

// maxFile is the largest number of bytes of a file that is read, however many states there are.
const maxFile = 1 << 30

// Is reports whether the ending of a path is that of a file of MatrixMarket.
func Is(path string) bool { return selector.Ending(path) == ".mtx" }

// ReadRows reads the rows of a chain of at most the given number of states from a file for which Is
// is true.
func ReadRows(path string, most int) (*Rows, error) {
	// bytes, as many as an entry may take in a text with all its digits and the numbers of its
	// states
	const each = 64
	data, err := selector.ReadFile(path, min(maxFile, 1<<20+each*int64(most)*int64(most)))
	if err != nil {
		return nil, err
	}
	return ParseMatrixMarket(data, most)
}

// Rounding returns half a unit of the last digit to which probabilities were written, and 0 if all
// are whole numbers, or all but zeros have 17 significant digits: such numbers are exact. A writer
// gives all numbers the same number of decimals or of significant digits, but may omit trailing
// zeros. So the unit is the larger of two: that of the number with the most decimals, and that of
// the largest number below one with as many significant digits as any number has. An exponent
// shifts the decimals of its number.
func Rounding(numbers iter.Seq[string]) float64 {
	var d digits
	for text := range numbers {
		d.addNumber(text)
	}
	return d.halfUnit()
}

// digits are those of the numbers of a text.
type digits struct {
	decimals    int // the most behind the point
	significant int // the most from the first that is not zero
	fewest      int // the fewest from there; 0 if all numbers are zero
	// how many zeros stand in front of the largest number below one, its place in front of the
	// point included; 0 if there is none
	below int
}

// addNumber adds a number as it is written.
func (d *digits) addNumber(text string) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	whole, decimals, _ := strings.Cut(strings.TrimLeft(mantissa, "+-"), ".")
	power, _ := strconv.Atoi(exponent)
	d.decimals = max(d.decimals, len(decimals)-power)
	given := strings.TrimLeft(whole+decimals, "0")
	d.significant = max(d.significant, len(given))
	if given != "" && (d.fewest == 0 || len(given) < d.fewest) {
		d.fewest = len(given)
	}
	if zeros := len(decimals) - power - len(given) + 1; given != "" && zeros > 0 &&
		(d.below == 0 || zeros < d.below) {
		d.below = zeros
	}
}

// halfUnit returns half the unit of the last digit.
func (d *digits) halfUnit() float64 {
	const all = 17 // digits that give a float64
	if d.decimals == 0 || d.fewest >= all {
		return 0
	}
	unit := math.Pow(10, float64(-d.decimals))
	if d.below > 0 {
		unit = max(unit, math.Pow(10, float64(1-d.below-d.significant)))
	}
	return unit / 2
}
