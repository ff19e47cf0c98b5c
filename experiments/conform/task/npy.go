package task

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// newNPY returns the header of an array in NumPy's format, version 1.0, in C order and little endian, with room for its
// numbers. The kind is that of NumPy, <f8 or <i8.
//
// Source: NEP 1, numpy.lib.format.
func newNPY(kind string, shape ...int) []byte {
	const align, fixed = 64, 10 // the numbers begin at a multiple of 64 bytes; magic, version and length take 10
	sides := make([]string, len(shape))
	size := 8
	for i, side := range shape {
		sides[i] = fmt.Sprint(side)
		size *= side
	}
	tuple := strings.Join(sides, ", ")
	if len(shape) == 1 {
		tuple += ","
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, tuple)
	header += strings.Repeat(" ", (align-(fixed+len(header)+1)%align)%align) + "\n"
	out := make([]byte, 0, fixed+len(header)+size)
	out = append(out, "\x93NUMPY\x01\x00"...)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(header)))
	return append(out, header...)
}

// appendFloats appends numbers as float64.
func appendFloats(dst []byte, values []float64) []byte {
	for _, v := range values {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
	}
	return dst
}

// floatsNPY returns numbers as an array of the given shape.
func floatsNPY(values []float64, shape ...int) []byte {
	return appendFloats(newNPY("<f8", shape...), values)
}

// integersNPY returns whole numbers as an array of the given shape.
func integersNPY(values []int, shape ...int) []byte {
	out := newNPY("<i8", shape...)
	for _, v := range values {
		out = binary.LittleEndian.AppendUint64(out, uint64(v))
	}
	return out
}
