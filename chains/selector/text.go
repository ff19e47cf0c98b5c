package selector

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// PlainText returns the text of a file without the mark that some programs put in front of UTF-8. It refuses UTF-16, which is what the
// redirection of an older PowerShell writes, and line ends that are a carriage return alone, which would join all lines.
func PlainText(data []byte) ([]byte, error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return nil, errors.New("the text is UTF-16; save it as UTF-8 or ASCII")
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	line := 1
	for text := range bytes.Lines(data) {
		if i := bytes.IndexByte(text, '\r'); i >= 0 && !bytes.Equal(text[i:], []byte("\r\n")) && i < len(text)-1 {
			return nil, fmt.Errorf("line %d has a carriage return in it; end lines with a line feed, or with both", line)
		}
		line++
	}
	return data, nil
}

// Fields splits a line at blanks and tabs, however many stand together.
func Fields(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == '\r' || r == '\n' })
}
