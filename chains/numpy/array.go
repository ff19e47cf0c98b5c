package numpy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/sbinet/npyio/npy"
)

// Array is an array whose header has been read, and whose numbers have not.
type Array struct {
	Shape  []int // as the header says; a side may be negative in a damaged file
	reader *npy.Reader
	bytes  int // what follows the header
}

// Parse reads the header of a file in the format .npy.
func Parse(data []byte) (a *Array, err error) {
	defer func() { // the library panics on some malformed headers
		if recover() != nil {
			a, err = nil, errors.New("malformed .npy header, or one that is cut off")
		}
	}()
	// A version 2 header states its own length in 32 bits. One that is longer than the file is refused here, before the
	// library allocates memory for it.
	if len(data) >= 12 && data[6] == 2 && int64(binary.LittleEndian.Uint32(data[8:])) > int64(len(data)) {
		return nil, errors.New("malformed .npy header (longer than the file)")
	}
	body := bytes.NewReader(data)
	r, err := npy.NewReader(body)
	if err != nil {
		return nil, fmt.Errorf("this is no .npy file, or one that is cut off (%w)", err)
	}
	return &Array{Shape: r.Header.Descr.Shape, reader: r, bytes: body.Len()}, nil
}

// Floats returns the numbers in C order: the last index moves fastest. It can be called once. It converts numbers to float64, because the
// library reads each type only as itself, and checks the size, because the library reads missing numbers as zeros.
func (a *Array) Floats() (values []float64, err error) {
	defer func() { // the library panics on some malformed headers
		if recover() != nil {
			values, err = nil, errors.New("malformed .npy header, or one that is cut off")
		}
	}()
	kind := strings.TrimLeft(a.reader.Header.Descr.Type, "<>|=")
	read, known := map[string]func(*npy.Reader) ([]float64, error){
		"f8": readAs[float64], "f4": readAs[float32], "i8": readAs[int64], "i4": readAs[int32],
	}[kind]
	if !known {
		return nil, fmt.Errorf("numbers of type %q; save as float64 (numpy.asarray(g, float))", a.reader.Header.Descr.Type)
	}
	n, err := a.elements()
	if err != nil {
		return nil, err
	}
	if want := n * int(kind[1]-'0'); a.bytes != want {
		return nil, fmt.Errorf("the header promises %d numbers in %d bytes, and the file has %d", n, want, a.bytes)
	}
	if n == 0 {
		return nil, nil
	}
	if values, err = read(a.reader); err != nil {
		return nil, err
	}
	if a.reader.Header.Descr.Fortran {
		values = fromFortran(a.Shape, values)
	}
	return values, nil
}

// elements returns the number of elements. It fails where the shape has more than the file has bytes.
func (a *Array) elements() (int, error) {
	n := 1
	for _, side := range a.Shape {
		if side < 0 {
			return 0, fmt.Errorf("the shape %v has a side below zero", a.Shape)
		}
		if side == 0 {
			return 0, nil
		}
		if n > a.bytes/side {
			return 0, fmt.Errorf("the header promises an array of shape %v, and the file has %d bytes of it", a.Shape, a.bytes)
		}
		n *= side
	}
	return n, nil
}

func readAs[N float64 | float32 | int64 | int32](r *npy.Reader) ([]float64, error) {
	var raw []N
	if err := r.Read(&raw); err != nil {
		return nil, fmt.Errorf("numbers: %w", err)
	}
	values := make([]float64, len(raw))
	for i, v := range raw {
		values[i] = float64(v)
	}
	return values, nil
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
			if index[k]++; index[k] < shape[k] {
				break
			}
			index[k] = 0
		}
	}
	return out
}

// Floats returns numbers as an array of float64 of the given shape, in C order: the last index moves fastest. Without a shape
// it is one number of no dimensions. It panics where the shape has another number of elements.
func Floats(values []float64, shape ...int) []byte {
	out := header("<f8", 8, len(values), shape)
	return AppendFloats(out, values)
}

// Begin returns the beginning of an array of float64 of the given shape, with room for its numbers, which AppendFloats appends.
func Begin(shape ...int) []byte { return header("<f8", 8, product(shape), shape) }

// AppendFloats appends numbers to an array that Begin has begun.
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

// Texts returns texts as an array of characters of fixed length, as long as the longest text, as Floats does.
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

// Size returns the bytes that a file takes of so many elements of eight bytes, at most.
func Size(elements int) int64 { return maxHeader + 8*int64(elements) }

// maxHeader is more bytes than the header of a plain array has.
const maxHeader = 1 << 16

// header returns the beginning of a file, version 1.0, with room for the elements. Its length is a multiple of 64, so that a program that
// maps the file into memory finds aligned numbers.
//
// Source: NEP 1, numpy.lib.format.
func header(kind string, size, elements int, shape []int) []byte {
	const align, fixed = 64, 10 // the magic bytes, the version and the length take 10
	tuple := strings.ReplaceAll(strings.Trim(fmt.Sprint(shape), "[]"), " ", ", ")
	if product(shape) != elements {
		panic(fmt.Sprintf("numpy: %d elements for the shape %v", elements, shape))
	}
	if len(shape) == 1 {
		tuple += ","
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, tuple)
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
