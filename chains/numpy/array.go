package numpy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"breadboard/chains/work"
)

// Array is an array whose header has been read, but not its numbers.
type Array struct {
	Shape  []int
	header *Header
	data   []byte // what follows the header
}

// Parse reads the header of a file in the format .npy, of one plain array.
func Parse(data []byte) (*Array, error) {
	h, at, err := ReadHeader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	if h.Structured {
		return nil, &Mistake{
			Found: "a structured array",
			Want:  "save a plain one, as numpy.asarray(g, float) makes it",
		}
	}
	a := &Array{header: h, data: data[at:]}
	for _, side := range h.Shape {
		a.Shape = append(a.Shape, int(side))
	}
	return a, nil
}

// Floats returns the numbers as float64 in C order: the last index moves fastest. It fails if the
// file has another number of them than the header states.
func (a *Array) Floats() ([]float64, error) {
	if f := a.header.Fields[0]; !f.Readable() {
		return nil, f.Unread()
	}
	return a.header.Floats(a.data)
}

// Texts returns the elements of a one-dimensional array of texts, and nil for any other array.
func (a *Array) Texts() (texts []string) {
	f := a.header.Fields[0]
	if f.Kind != 'U' || f.Size == 0 || len(a.Shape) != 1 || len(a.data) != f.Size*a.Shape[0] {
		return nil
	}
	for element := range slices.Chunk(a.data, f.Size) {
		var text []rune
		for character := range slices.Chunk(element, 4) {
			text = append(text, rune(f.order.Uint32(character)))
		}
		texts = append(texts, strings.TrimRight(string(text), "\x00"))
	}
	return texts
}

// Matrix returns the number in a row and a column of a two-dimensional array. It fails like Floats,
// and does not copy the numbers.
func (a *Array) Matrix() (at func(row, column int) float64, err error) {
	f := &a.header.Fields[0]
	down := a.Shape[1]
	right := 1
	if !f.Readable() {
		return nil, f.Unread()
	}
	if a.header.Fortran {
		down = 1
		right = a.Shape[0]
	}
	_, err = a.header.checkedSides(int64(len(a.data)))
	return func(row, column int) float64 { return f.Float(a.data[(row*down+column*right)*f.Size:]) }, err
}

// Floats returns the numbers of a plain array with these data, in C order. It fails if their number
// is not the one in the header.
func (h *Header) Floats(data []byte) ([]float64, error) {
	shape, err := h.checkedSides(int64(len(data)))
	if err != nil {
		return nil, err
	}
	f := h.Fields[0]
	values := work.Slice[float64](product(shape))
	if f.Kind == 'f' && f.Size == 8 && f.order == binary.LittleEndian {
		for i := range values {
			values[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		}
	} else {
		for i := range values {
			values[i] = f.Float(data[i*f.Size:])
		}
	}
	if h.Fortran {
		values = fromFortran(shape, values)
	}
	return values, nil
}

// checkedSides returns the sides of an array, and fails if its data, of the given number of bytes,
// are of another size.
func (h *Header) checkedSides(bytes int64) ([]int, error) {
	n := int64(1)
	shape := make([]int, len(h.Shape))
	for i, side := range h.Shape {
		if side > 0 && n > bytes/side {
			return nil, fmt.Errorf("the header states an array of shape %v, and the file has %d bytes of it",
				h.Shape, bytes)
		}
		shape[i] = int(side)
		n *= side
	}
	if want := n * h.RowBytes; bytes != want {
		return nil, fmt.Errorf("the header states %d numbers in %d bytes, and the file has %d", n, want, bytes)
	}
	return shape, nil
}

// fromFortran reorders numbers whose first index moves fastest.
func fromFortran(shape []int, values []float64) []float64 {
	out := make([]float64, len(values))
	index := make([]int, len(shape))
	for x := range out {
		i := 0
		for k := len(shape) - 1; k >= 0; k-- {
			i = i*shape[k] + index[k]
		}
		out[x] = values[i]
		for k := len(shape) - 1; k >= 0; k-- {
			index[k]++
			if index[k] < shape[k] {
				break
			}
			index[k] = 0
		}
	}
	return out
}

// Floats returns numbers as an array of float64 of the given shape, in C order: the last index
// moves fastest. Without a shape it is one number without dimensions. It panics if the shape has
// another number of elements.
func Floats(values []float64, shape ...int) []byte {
	out := header("<f8", 8, len(values), shape)
	return AppendFloats(out, values)
}

// Begin returns the header of an array of float64 of the given shape, with capacity for its
// numbers, which AppendFloats appends.
func Begin(shape ...int) []byte { return header("<f8", 8, product(shape), shape) }

// AppendFloats appends numbers to an array started by Begin.
func AppendFloats(dst []byte, values []float64) []byte {
	for _, v := range values {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
	}
	return dst
}

// Integers returns whole numbers as an array of int64, as Floats does.
func Integers(values []int, shape ...int) []byte {
	out := header("<i8", 8, len(values), shape)
	for _, v := range values {
		out = binary.LittleEndian.AppendUint64(out, uint64(v))
	}
	return out
}

// Texts returns texts as an array of characters of fixed length, that of the longest text, like
// Floats.
func Texts(values []string, shape ...int) []byte {
	long := 1 // NumPy writes empty texts with one character, too
	for _, v := range values {
		long = max(long, utf8.RuneCountInString(v))
	}
	out := header(fmt.Sprintf("<U%d", long), 4*long, len(values), shape)
	for _, v := range values {
		written := 0
		for _, r := range v {
			out = binary.LittleEndian.AppendUint32(out, uint32(r))
			written++
		}
		out = append(out, make([]byte, 4*(long-written))...)
	}
	return out
}

// Size returns the largest size in bytes of a file of the given number of elements of eight bytes.
func Size(elements int) int64 { return maxHeader + 8*int64(elements) }

// maxHeader is an upper bound on the bytes of a plain array's header.
const maxHeader = 1 << 16

// header returns the beginning of a file, version 1.0, with capacity for the elements. Its length
// is a multiple of 64, so that a program that maps the file into memory finds aligned numbers.
//
// Source: NEP 1, numpy.lib.format.
func header(kind string, size, elements int, shape []int) []byte {
	const align, fixed = 64, 10 // the magic bytes, the version and the length take 10
	if product(shape) != elements {
		panic(fmt.Sprintf("numpy: %d elements for the shape %v", elements, shape))
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", kind, ShapeText(shape))
	text += strings.Repeat(" ", (align-(fixed+len(text)+1)%align)%align) + "\n"
	out := make([]byte, 0, fixed+len(text)+size*elements)
	out = append(out, "\x93NUMPY\x01\x00"...)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(text)))
	return append(out, text...)
}

// product returns the number of elements of a shape.
func product(shape []int) int {
	n := 1
	for _, side := range shape {
		n *= side
	}
	return n
}
