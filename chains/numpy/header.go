package numpy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Field is a column of a .npy file: its place in a row, and its type.
type Field struct {
	Name   string
	Offset int64
	Kind   byte  // 'f', 'i', 'u' and 'b' are read, the others are those of NumPy's codes
	Size   int   // of one element, in bytes
	Shape  []int // of an array in the field; nil for one value
	order  binary.ByteOrder
	dtype  string // as the header writes it, for messages
}

// Mistake describes what is wrong with an array: what was found, the field (may be empty), and what
// to write instead.
type Mistake struct{ Field, Found, Want string }

// Error returns what was found and what to write.
func (m *Mistake) Error() string { return "found " + m.Found + "; " + m.Want }

// Elements returns how many values the field has in every row.
func (f Field) Elements() int {
	n := 1
	for _, d := range f.Shape {
		n *= d
	}
	return n
}

// Header is the content of the header of a .npy file.
type Header struct {
	Fields     []Field // of a structured array; one without a name of a plain array
	Structured bool
	Fortran    bool
	Shape      []int64
	RowBytes   int64 // of one element of the array
}

const (
	longestHeader = 1 << 20 // the most bytes of a header's text
	maxNested     = 8       // how deep its lists and tuples may be nested
	maxSide       = 1 << 40 // the longest side of an array
	maxSides      = 64      // how many it has, as NumPy
)

// ReadHeader reads the header of a file of the given size in bytes, and returns it with the place
// where the data begin. Its errors are a *Mistake.
func ReadHeader(in io.ReaderAt, size int64) (*Header, int64, error) {
	if size == 0 {
		return nil, 0, &Mistake{Found: "nothing: it is empty", Want: "write it with numpy.save"}
	}
	start := make([]byte, min(12, size))
	if _, err := in.ReadAt(start, 0); err != nil && err != io.EOF {
		return nil, 0, err
	}
	at, length, bad := preamble(start)
	if bad == nil && at+length > size {
		bad = cutHeader()
	}
	if bad != nil {
		return nil, 0, bad
	}
	text := make([]byte, length)
	if _, err := in.ReadAt(text, at); err != nil && err != io.EOF {
		return nil, 0, err
	}
	h, bad := parseHeader(string(text))
	if bad != nil {
		return nil, 0, bad
	}
	return h, at + length, nil
}

// preamble reads the magic bytes, the version and the length of the header, of at least 12 bytes of
// a file. It returns where the text of the header begins and how many bytes it has.
func preamble(start []byte) (at, length int64, bad *Mistake) {
	if len(start) < 10 || string(start[:6]) != "\x93NUMPY" {
		return 0, 0, &Mistake{
			Found: "no .npy file: it begins with " + quote(start[:min(len(start), 8)]),
			Want:  "write it with numpy.save",
		}
	}
	switch start[6] {
	case 1:
		return 10, int64(binary.LittleEndian.Uint16(start[8:])), nil
	case 2, 3:
		if len(start) < 12 {
			return 0, 0, cutHeader()
		}
		length = int64(binary.LittleEndian.Uint32(start[8:]))
		if length > longestHeader {
			return 0, 0, &Mistake{
				Found: fmt.Sprintf("a header of %d bytes", length),
				Want:  fmt.Sprintf("write at most %d, with fewer columns", longestHeader),
			}
		}
		return 12, length, nil
	}
	return 0, 0, &Mistake{
		Found: fmt.Sprintf("version %d.%d of the .npy format", start[6], start[7]),
		Want:  "write version 1, 2 or 3",
	}
}

// cutHeader is the fault of a file that ends within its header.
func cutHeader() *Mistake {
	return &Mistake{Found: "a .npy header that is cut off", Want: "write the file again"}
}

// parseHeader reads the text of a header, which is a dictionary in Python's notation.
func parseHeader(text string) (*Header, *Mistake) {
	p := &literals{text: text}
	value, err := p.readValue(0)
	dict, ok := value.(map[string]any)
	if err == nil && (!ok || strings.TrimSpace(p.text[p.at:]) != "") {
		err = p.error("a dictionary and nothing after it")
	}
	if err != nil {
		return nil, &Mistake{
			Found: "a .npy header that is damaged: " + err.Error(),
			Want:  "write the file again with numpy.save",
		}
	}
	h := &Header{}
	fortran, ok := dict["fortran_order"].(bool)
	h.Fortran = fortran
	shape, isTuple := dict["shape"].([]any)
	h.Shape, isTuple = readSides(shape, isTuple)
	if !ok || !isTuple || dict["descr"] == nil {
		return nil, &Mistake{
			Found: "a .npy header without valid descr, fortran_order and shape",
			Want:  "write the file again with numpy.save",
		}
	}
	return h, h.parseDescr(dict["descr"])
}

// readSides reads a tuple of whole numbers.
func readSides(tuple []any, ok bool) ([]int64, bool) {
	shape := []int64{}
	ok = ok && len(tuple) <= maxSides
	for _, v := range tuple {
		n, isInt := v.(int64)
		ok = ok && isInt && n >= 0 && n <= maxSide
		shape = append(shape, n)
	}
	return shape, ok
}

// parseDescr reads the description of an element: the code of a type, or a list of fields.
func (h *Header) parseDescr(descr any) *Mistake {
	if code, ok := descr.(string); ok {
		f, bad := parseDtype(code)
		h.Fields = []Field{f}
		h.RowBytes = int64(f.Size)
		return bad
	}
	list, ok := descr.([]any)
	if !ok || len(list) == 0 {
		return badDescr(descr)
	}
	h.Structured = true
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
			bad.Field = name
			return bad
		}
		f.Name = name
		f.Offset = h.RowBytes
		if len(tuple) == 3 {
			f.Shape, ok = fieldShape(tuple[2])
			if !ok {
				return badDescr(item)
			}
		}
		h.Fields = append(h.Fields, f)
		h.RowBytes += int64(f.Size) * int64(f.Elements())
		if h.RowBytes > maxSide {
			return badDescr(item)
		}
	}
	return nil
}

// fieldShape reads the shape of an array in a field. It has at most some million elements.
func fieldShape(v any) ([]int, bool) {
	tuple, ok := v.([]any)
	if n, isInt := v.(int64); isInt {
		tuple = []any{n}
		ok = true
	}
	long, ok := readSides(tuple, ok)
	shape := make([]int, len(long))
	total := int64(1)
	for i, n := range long {
		if n > 1<<24 || total*n > 1<<24 {
			return nil, false
		}
		total *= n
		shape[i] = int(n)
	}
	return shape, ok
}

// badDescr is the error for an unsupported description of elements.
func badDescr(v any) *Mistake {
	return &Mistake{
		Found: "the dtype " + quote(fmt.Append(nil, v)),
		Want:  "write numbers, or a structured array whose fields are numbers",
	}
}

// parseDtype reads the code of a type, such as <f8.
func parseDtype(code string) (Field, *Mistake) {
	f := Field{order: binary.LittleEndian, dtype: code}
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
	f.Kind = rest[0]
	digits, unit, _ := strings.Cut(rest[1:], "[") // a date has a unit
	size, err := strconv.ParseUint(digits, 10, 31)
	switch {
	case f.Kind == 'O':
		return f, f.Unread()
	case err != nil || unit != "" && f.Kind != 'M' && f.Kind != 'm' || size > 1<<24:
		return f, badDescr(code)
	case f.Kind == 'U':
		size *= 4
	}
	f.Size = int(size)
	return f, nil
}

// Readable reports whether the type of the field is supported.
func (f Field) Readable() bool {
	switch f.Kind {
	case 'f':
		return f.Size == 2 || f.Size == 4 || f.Size == 8
	case 'b':
		return f.Size == 1
	case 'i', 'u':
		return f.Size == 1 || f.Size == 2 || f.Size == 4 || f.Size == 8
	}
	return false
}

// Unread returns the error for an unsupported type.
func (f Field) Unread() *Mistake {
	what, ok := map[byte]string{
		'O': "Python objects", 'c': "complex numbers", 'S': "bytes", 'a': "bytes", 'U': "text",
		'b': "truth values", '?': "truth values", 'V': "raw bytes",
		'M': "dates", 'm': "times", 'f': "floating-point numbers of an unsupported kind",
	}[f.Kind]
	if !ok {
		what = "an unsupported type"
	}
	return &Mistake{Field: f.Name, Found: fmt.Sprintf("%s, dtype %s", what, f.dtype),
		Want: "write float64, float32 or whole numbers of 8 to 64 bits, as astype(float) and astype(int) make them"}
}

// Float returns a value as a floating-point number.
func (f *Field) Float(b []byte) float64 {
	switch {
	case f.Kind == 'f' && f.Size == 8:
		return math.Float64frombits(f.order.Uint64(b))
	case f.Kind == 'f' && f.Size == 2:
		return half(f.order.Uint16(b))
	case f.Kind == 'f':
		return float64(math.Float32frombits(f.order.Uint32(b)))
	case f.Kind == 'u' && f.Size == 8:
		return float64(f.order.Uint64(b))
	}
	return float64(f.Integer(b))
}

// half returns a number of float16: a sign, five bits of an exponent and ten of a fraction.
//
// Source: IEEE 754-2008, binary16.
func half(bits uint16) float64 {
	exponent := int(bits >> 10 & 31)
	fraction := float64(bits & 1023)
	var v float64
	switch {
	case exponent == 31 && fraction > 0:
		return math.NaN()
	case exponent == 31:
		v = math.Inf(1)
	case exponent == 0:
		v = math.Ldexp(fraction, -24)
	default:
		v = math.Ldexp(1024+fraction, exponent-25)
	}
	if bits>>15 == 1 {
		return -v
	}
	return v
}

// Integer returns a value as a whole number. Values of uint64 above the largest int64 become
// negative.
func (f *Field) Integer(b []byte) int64 {
	switch f.Size {
	case 1:
		if f.Kind == 'i' {
			return int64(int8(b[0]))
		}
		return int64(b[0])
	case 2:
		if f.Kind == 'i' {
			return int64(int16(f.order.Uint16(b)))
		}
		return int64(f.order.Uint16(b))
	case 4:
		if f.Kind == 'i' {
			return int64(int32(f.order.Uint32(b)))
		}
		return int64(f.order.Uint32(b))
	}
	return int64(f.order.Uint64(b))
}

// ShapeText writes a shape as Python does.
func ShapeText[N int | int64](shape []N) string {
	text := strings.ReplaceAll(strings.Trim(fmt.Sprint(shape), "[]"), " ", ", ")
	if len(shape) == 1 {
		text += ","
	}
	return "(" + text + ")"
}

// quote returns a text for a message, shortened if it is long.
func quote(text []byte) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%q and so on", text[:most])
	}
	return fmt.Sprintf("%q", text)
}

// literals reads the part of Python's notation that headers of .npy files use: dictionaries with
// texts as keys, tuples and lists, texts, whole numbers, True and False. A tuple and a list both
// become []any.
type literals struct {
	text string
	at   int
}

// error returns the error for a missing part of the text.
func (p *literals) error(want string) error {
	return fmt.Errorf("at byte %d there should be %s", p.at, want)
}

// peekByte passes over blanks and returns the next byte, and 0 at the end.
func (p *literals) peekByte() byte {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// readValue reads a value at a depth of nesting.
func (p *literals) readValue(depth int) (any, error) {
	if depth > maxNested {
		return nil, errors.New("it is nested too deeply")
	}
	switch c := p.peekByte(); {
	case c == '{':
		return p.readDict(depth)
	case c == '(':
		return p.readSequence(')', depth)
	case c == '[':
		return p.readSequence(']', depth)
	case c == '\'' || c == '"':
		return p.readString()
	case c >= '0' && c <= '9' || c == '-':
		return p.readInteger()
	case strings.HasPrefix(p.text[p.at:], "True"):
		p.at += len("True")
		return true, nil
	case strings.HasPrefix(p.text[p.at:], "False"):
		p.at += len("False")
		return false, nil
	}
	return nil, p.error("a value")
}

func (p *literals) readDict(depth int) (any, error) {
	dict := map[string]any{}
	p.at++
	for p.peekByte() != '}' {
		if c := p.peekByte(); c != '\'' && c != '"' {
			return nil, p.error("a key in quotation marks")
		}
		key, err := p.readString()
		if err != nil {
			return nil, err
		}
		if _, twice := dict[key]; twice {
			return nil, fmt.Errorf("the key %q is repeated", key)
		}
		if p.peekByte() != ':' {
			return nil, p.error("a colon")
		}
		p.at++
		dict[key], err = p.readValue(depth + 1)
		if err != nil {
			return nil, err
		}
		if err := p.skipComma('}'); err != nil {
			return nil, err
		}
	}
	p.at++
	return dict, nil
}

// readSequence reads a list, or a tuple, up to the byte that closes it. A value in parentheses
// without a comma is a tuple too.
func (p *literals) readSequence(closing byte, depth int) (any, error) {
	list := []any{}
	p.at++
	for p.peekByte() != closing {
		v, err := p.readValue(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		if err := p.skipComma(closing); err != nil {
			return nil, err
		}
	}
	p.at++
	return list, nil
}

// skipComma passes over a comma, which may be missing before the byte that closes.
func (p *literals) skipComma(closing byte) error {
	switch p.peekByte() {
	case ',':
		p.at++
	case closing:
	default:
		return p.error("a comma")
	}
	return nil
}

// readString reads a text in single or double quotation marks. Of escapes it knows those of the
// marks and of the backslash, and of characters by their number.
func (p *literals) readString() (string, error) {
	mark := p.text[p.at]
	var b strings.Builder
	for rest := p.text[p.at+1:]; rest != ""; {
		if rest[0] == mark {
			p.at = len(p.text) - len(rest) + 1
			return b.String(), nil
		}
		if rest[0] != '\\' {
			b.WriteByte(rest[0])
			rest = rest[1:]
			continue
		}
		if len(rest) > 1 && (rest[1] == '\'' || rest[1] == '"') {
			b.WriteByte(rest[1])
			rest = rest[2:]
			continue
		}
		r, _, tail, err := strconv.UnquoteChar(rest, mark)
		if err != nil {
			return "", p.error("a text with known escapes only")
		}
		b.WriteRune(r)
		rest = tail
	}
	return "", p.error("a text that is closed")
}

func (p *literals) readInteger() (any, error) {
	end := p.at + 1
	for end < len(p.text) && p.text[end] >= '0' && p.text[end] <= '9' {
		end++
	}
	n, err := strconv.ParseInt(p.text[p.at:end], 10, 64)
	if err != nil {
		return nil, p.error("a whole number of 64 bits")
	}
	p.at = end
	if p.at < len(p.text) && p.text[p.at] == 'L' { // Python 2 wrote long numbers with an L
		p.at++
	}
	return n, nil
}
