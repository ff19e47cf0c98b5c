package files

import (
	"encoding/binary"
	"errors"
)

// compact walks over Thrift's compact notation, in which Parquet writes what it says about its data, without taking memory. It finds out before
// the library reads the same whether lengths are true: the library makes room for as much as is promised.
type compact struct {
	b        []byte
	at       int
	elements int // how many elements of lists that are structures there were so far
}

const (
	maxStructures = 1 << 20 // the most structures in lists, such as columns times groups of rows
	maxDepth      = 32      // how deep structures may be nested
)

// The types of Thrift's compact notation.
const (
	thriftTrue = iota + 1
	thriftFalse
	thriftByte
	thriftInt16
	thriftInt32
	thriftInt64
	thriftDouble
	thriftBinary
	thriftList
	thriftSet
	thriftMap
	thriftStruct
)

// errThrift is the error of what is not Thrift's compact notation, is cut off, or is too large.
var errThrift = errors.New("its description of itself is damaged")

// structure walks over a structure, and calls visit for every whole number in it and in the structures directly in it, with
// the number of the field and that of the field that holds the inner structure, or 0.
func (t *compact) structure(depth, outer int, visit func(outer, field int, v int64)) error {
	if depth > maxDepth {
		return errThrift
	}
	field := 0
	for {
		head, err := t.byte()
		if err != nil || head == 0 {
			return err
		}
		if delta := int(head >> 4); delta > 0 {
			field += delta
		} else {
			id, err := t.integer()
			if err != nil {
				return err
			}
			field = int(id)
		}
		switch kind := head & 15; kind {
		case thriftInt16, thriftInt32, thriftInt64:
			v, err := t.integer()
			if err != nil {
				return err
			}
			if depth <= 1 && visit != nil {
				visit(outer, field, v)
			}
		case thriftStruct:
			err = t.structure(depth+1, field, visit)
		case thriftTrue, thriftFalse: // the value is the type
		default:
			err = t.value(kind, depth)
		}
		if err != nil {
			return err
		}
	}
}

// value walks over a value that is no field, or that is none of those that structure knows.
func (t *compact) value(kind byte, depth int) error {
	if depth > maxDepth {
		return errThrift
	}
	switch kind {
	case thriftTrue, thriftFalse, thriftByte:
		return t.skip(1)
	case thriftInt16, thriftInt32, thriftInt64:
		_, err := t.integer()
		return err
	case thriftDouble:
		return t.skip(8)
	case thriftBinary:
		n, err := t.length()
		if err != nil {
			return err
		}
		return t.skip(n)
	case thriftList, thriftSet:
		return t.list(depth)
	case thriftMap:
		return t.mapping(depth)
	case thriftStruct:
		if t.elements++; t.elements > maxStructures {
			return errThrift
		}
		return t.structure(depth+1, 0, nil)
	}
	return errThrift
}

// list walks over a list or a set.
func (t *compact) list(depth int) error {
	head, err := t.byte()
	if err != nil {
		return err
	}
	n := int(head >> 4)
	if n == 15 {
		if n, err = t.length(); err != nil {
			return err
		}
	}
	if n > len(t.b)-t.at { // every element takes a byte at least
		return errThrift
	}
	for range n {
		if err := t.value(head&15, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// mapping walks over a map.
func (t *compact) mapping(depth int) error {
	n, err := t.length()
	if err != nil || n == 0 {
		return err
	}
	kinds, err := t.byte()
	if err != nil || n > len(t.b)-t.at {
		return errThrift
	}
	for range n {
		if err := t.value(kinds>>4, depth+1); err != nil {
			return err
		}
		if err := t.value(kinds&15, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (t *compact) byte() (byte, error) {
	if t.at >= len(t.b) {
		return 0, errThrift
	}
	t.at++
	return t.b[t.at-1], nil
}

func (t *compact) skip(n int) error {
	if n > len(t.b)-t.at {
		return errThrift
	}
	t.at += n
	return nil
}

// length reads a length, which is at most what is left.
func (t *compact) length() (int, error) {
	v, n := binary.Uvarint(t.b[t.at:])
	if n <= 0 || v > uint64(len(t.b)-t.at-n) {
		return 0, errThrift
	}
	t.at += n
	return int(v), nil
}

func (t *compact) integer() (int64, error) {
	v, n := binary.Varint(t.b[t.at:])
	if n <= 0 {
		return 0, errThrift
	}
	t.at += n
	return v, nil
}
