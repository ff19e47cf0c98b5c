package files

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// npyField is a column of a .npy file: where in a row it stands, and how.
type npyField struct {
	name   string
	offset int64
	kind   byte // 'f', 'i' and 'u' are read, the others are those of NumPy's codes
	size   int  // of one element, in bytes
	order  binary.ByteOrder
	dtype  string // as the header writes it, for messages
	shape  []int  // of an array in the field; nil for one value
}

// elements returns how many values the field has in every row.
func (f npyField) elements() int {
	n := 1
	for _, d := range f.shape {
		n *= d
	}
	return n
}

// npyHeader is what the header of a .npy file says.
type npyHeader struct {
	fields     []npyField // of a structured array; one without a name of a plain array
	structured bool
	fortran    bool
	shape      []int64
	rowBytes   int64 // of one element of the array
}

const (
	maxHeader = 1 << 20 // the most bytes of a header's text
	maxNested = 8       // how deep its lists and tuples may be nested
	maxSide   = 1 << 40 // the longest side of an array
)

// npyPreamble reads the magic bytes, the version and the length of the header, of at least 12 bytes of a file. It returns
// where the text of the header begins and how many bytes it has.
func npyPreamble(start []byte) (at, length int64, bad *fault) {
	if len(start) < 10 || string(start[:6]) != "\x93NUMPY" {
		return 0, 0, &fault{found: "no .npy file: it begins with " + quoted(start[:min(len(start), 8)]), want: "write it with numpy.save"}
	}
	switch start[6] {
	case 1:
		return 10, int64(binary.LittleEndian.Uint16(start[8:])), nil
	case 2, 3:
		if len(start) < 12 {
			return 0, 0, cutHeader()
		}
		length = int64(binary.LittleEndian.Uint32(start[8:]))
		if length > maxHeader {
			return 0, 0, &fault{found: fmt.Sprintf("a header of %d bytes", length), want: fmt.Sprintf("write at most %d, with fewer columns", maxHeader)}
		}
		return 12, length, nil
	}
	return 0, 0, &fault{found: fmt.Sprintf("version %d.%d of the .npy format", start[6], start[7]), want: "write version 1, 2 or 3"}
}

// cutHeader is the fault of a file that ends within its header.
func cutHeader() *fault {
	return &fault{found: "a .npy header that is cut off", want: "write the file again"}
}

// parseNPYHeader reads the text of a header, which is a dictionary in Python's notation.
func parseNPYHeader(text string) (*npyHeader, *fault) {
	p := &literals{text: text}
	value, err := p.value(0)
	dict, ok := value.(map[string]any)
	if err == nil && (!ok || strings.TrimSpace(p.text[p.at:]) != "") {
		err = p.error("a dictionary and nothing after it")
	}
	if err != nil {
		return nil, &fault{found: "a .npy header that is damaged: " + err.Error(), want: "write the file again with numpy.save"}
	}
	h := &npyHeader{}
	fortran, ok := dict["fortran_order"].(bool)
	h.fortran = fortran
	shape, isTuple := dict["shape"].([]any)
	h.shape, isTuple = sides(shape, isTuple)
	if !ok || !isTuple || dict["descr"] == nil {
		return nil, &fault{found: "a .npy header without descr, fortran_order or shape, or with others than these should be", want: "write the file again with numpy.save"}
	}
	return h, h.parseDescr(dict["descr"])
}

// sides reads a tuple of whole numbers.
func sides(tuple []any, ok bool) ([]int64, bool) {
	shape := []int64{}
	for _, v := range tuple {
		n, isInt := v.(int64)
		ok = ok && isInt && n >= 0 && n <= maxSide
		shape = append(shape, n)
	}
	return shape, ok
}

// parseDescr reads the description of an element: the code of a type, or a list of fields.
func (h *npyHeader) parseDescr(descr any) *fault {
	if code, ok := descr.(string); ok {
		f, bad := parseDtype(code)
		h.fields, h.rowBytes = []npyField{f}, int64(f.size)
		return bad
	}
	list, ok := descr.([]any)
	if !ok || len(list) == 0 {
		return badDescr(descr)
	}
	h.structured = true
	for _, item := range list {
		tuple, ok := item.([]any)
		if !ok || len(tuple) < 2 || len(tuple) > 3 {
			return badDescr(item)
		}
		name, ok := tuple[0].(string)
		if titled, isTuple := tuple[0].([]any); isTuple && len(titled) == 2 {
			name, ok = titled[1].(string)
		}
		code, isCode := tuple[1].(string)
		if !ok || !isCode {
			return badDescr(item)
		}
		f, bad := parseDtype(code)
		if bad != nil {
			return bad.in(name)
		}
		f.name, f.offset = name, h.rowBytes
		if len(tuple) == 3 {
			if f.shape, ok = fieldShape(tuple[2]); !ok {
				return badDescr(item)
			}
		}
		h.fields = append(h.fields, f)
		h.rowBytes += int64(f.size) * int64(f.elements())
		if h.rowBytes > maxSide {
			return badDescr(item)
		}
	}
	return nil
}

// fieldShape reads the shape of an array in a field, which has at most some million elements.
func fieldShape(v any) ([]int, bool) {
	tuple, ok := v.([]any)
	if n, isInt := v.(int64); isInt {
		tuple, ok = []any{n}, true
	}
	long, ok := sides(tuple, ok)
	shape, total := make([]int, len(long)), int64(1)
	for i, n := range long {
		if n > 1<<24 || total*n > 1<<24 {
			return nil, false
		}
		total *= n
		shape[i] = int(n)
	}
	return shape, ok
}

// badDescr is the fault of a description of elements that is not read.
func badDescr(v any) *fault {
	return &fault{found: "the dtype " + quoted(fmt.Append(nil, v)), want: "write numbers, or a structured array whose fields are numbers"}
}

// parseDtype reads the code of a type, such as <f8.
func parseDtype(code string) (npyField, *fault) {
	f := npyField{order: binary.LittleEndian, dtype: code}
	rest := code
	if rest != "" && strings.IndexByte("<>|=", rest[0]) >= 0 {
		if rest[0] == '>' {
			f.order = binary.BigEndian
		}
		rest = rest[1:]
	}
	if rest == "" {
		return f, badDescr(code)
	}
	f.kind = rest[0]
	digits, unit, _ := strings.Cut(rest[1:], "[") // a date has a unit
	size, err := strconv.ParseUint(digits, 10, 31)
	switch {
	case f.kind == 'O':
		return f, f.unread()
	case err != nil || unit != "" && f.kind != 'M' && f.kind != 'm' || size > 1<<24:
		return f, badDescr(code)
	case f.kind == 'U':
		size *= 4
	}
	f.size = int(size)
	return f, nil
}

// readable reports whether values of the field are read.
func (f npyField) readable() bool {
	switch f.kind {
	case 'f':
		return f.size == 4 || f.size == 8
	case 'i', 'u':
		return f.size == 1 || f.size == 2 || f.size == 4 || f.size == 8
	}
	return false
}

// unread returns the fault of a type that is not read.
func (f npyField) unread() *fault {
	what, ok := map[byte]string{
		'O': "Python objects", 'c': "complex numbers", 'S': "bytes", 'a': "bytes", 'U': "text", 'b': "truth values", '?': "truth values", 'V': "raw bytes",
		'M': "dates", 'm': "times", 'f': "floating-point numbers of a kind that is not read",
	}[f.kind]
	if !ok {
		what = "a type that is not read"
	}
	return &fault{column: f.name, found: fmt.Sprintf("%s, dtype %s", what, f.dtype), want: "write float64, float32 or whole numbers of 8 to 64 bits, as astype(float) and astype(int) make them"}
}

// float returns a value as a floating-point number.
func (f npyField) float(b []byte) float64 {
	switch {
	case f.kind == 'f' && f.size == 8:
		return math.Float64frombits(f.order.Uint64(b))
	case f.kind == 'f':
		return float64(math.Float32frombits(f.order.Uint32(b)))
	case f.kind == 'u' && f.size == 8:
		return float64(f.order.Uint64(b))
	}
	return float64(f.integer(b))
}

// integer returns a value as a whole number. Of uint64 those above the largest int64 become negative.
func (f npyField) integer(b []byte) int64 {
	switch f.size {
	case 1:
		if f.kind == 'i' {
			return int64(int8(b[0]))
		}
		return int64(b[0])
	case 2:
		if f.kind == 'i' {
			return int64(int16(f.order.Uint16(b)))
		}
		return int64(f.order.Uint16(b))
	case 4:
		if f.kind == 'i' {
			return int64(int32(f.order.Uint32(b)))
		}
		return int64(f.order.Uint32(b))
	}
	return int64(f.order.Uint64(b))
}
