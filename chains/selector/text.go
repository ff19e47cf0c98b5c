package selector

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"

	"github.com/pelletier/go-toml/v2"
)

// Count returns a number with its noun for a sentence, as "1 row" and "2 rows", or "3 entries" if
// the noun ends in a consonant and y.
func Count(n int, noun string) string {
	switch stem, y := strings.CutSuffix(noun, "y"); {
	case n == 1:
		return "1 " + noun
	case y && !strings.ContainsAny(stem[len(stem)-1:], "aeiou"):
		return strconv.Itoa(n) + " " + stem + "ies"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Plural returns the form of a word that agrees with a number of things.
func Plural(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// Listed joins phrases for a sentence, as "a, b and c".
func Listed(phrases []string) string {
	last := len(phrases) - 1
	if last < 1 {
		return strings.Join(phrases, "")
	}
	return strings.Join(phrases[:last], ", ") + " and " + phrases[last]
}

// maxShown is the largest number of bytes of a user's text in an error, and of a selector in
// tables. Selectors that contain data may have many thousands.
const maxShown = 80

// Cut cuts a text that is too long for an error.
func Cut(text string) string {
	if len(text) <= maxShown {
		return text
	}
	return strings.ToValidUTF8(text[:maxShown], "") + "..."
}

// InList quotes a selector for an option that takes a comma-separated list.
func InList(text string) string {
	if strings.ContainsAny(text, ",\"") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// ShellQuote quotes any text so that a shell takes it as one argument.
func ShellQuote(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("/._-+=:,@%", r)
	}
	if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// Short returns a selector for tables and sentences. A long one is shortened to its beginning and a
// hash of the whole, so that two with the same beginning differ. It cannot be parsed back.
func Short(text string) string {
	if len(text) <= maxShown {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	hash := "..." + hex.EncodeToString(sum[:4])
	return strings.ToValidUTF8(text[:maxShown-len(hash)], "") + hash
}

// DecodeTOML reads a text in TOML. Its error names the line.
func DecodeTOML(text []byte, into any) error {
	plain, err := PlainText(text)
	if err != nil {
		return err
	}
	err = toml.Unmarshal(plain, into)
	at, placed := errors.AsType[*toml.DecodeError](err)
	switch {
	case err == nil:
		return nil
	case !placed:
		return errors.New(strings.TrimPrefix(err.Error(), "toml: "))
	}
	line, column := at.Position()
	err = fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(at.Error(), "toml: "))
	if lines := bytes.Split(plain, []byte("\n")); bytes.ContainsRune(lines[min(line, len(lines))-1], '\\') {
		err = errs.New(
			`%w; in double quotes a backslash begins an escape: write a path in single quotes, as in 'file:C:\x.csv'`,
			err,
		)
	}
	return err
}

// CheckSchema fails if a file has another schema number than this version of breadboard writes,
// since its fields may have another meaning.
func CheckSchema(found, written int) error {
	switch {
	case found > written:
		return errs.New(
			"a later version of breadboard wrote it (schema %d; this version reads and writes schema %d): "+
				"use that version",
			found,
			written,
		)
	case found < written:
		return errs.New("an earlier version of breadboard wrote it (schema %d; this version reads and writes schema "+
			"%d): make it again in another folder, or use that version",
			found, written)
	}
	return nil
}

// PlainText returns the text of a file without a byte order mark. It fails for what is no text by
// its first bytes (see Foreign), and for a lone carriage return, which would join lines.
func PlainText(data []byte) ([]byte, error) {
	if title, cure := Foreign("", data, false); title != "" {
		return nil, errs.New("the format is %s, which is not read here; %s", title, cure)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	line := 1
	for text := range bytes.Lines(data) {
		if i := bytes.IndexByte(text, '\r'); i >= 0 && !bytes.Equal(text[i:], []byte("\r\n")) &&
			i < len(text)-1 {
			return nil, errs.New("line %d has a carriage return in it; end lines with a line feed, or with both",
				line)
		}
		line++
	}
	return data, nil
}

// CheckLines fails if a line of a text has more than the given number of bytes or of
// comma-separated cells. It takes no memory, while a reader of CSV takes a hundred bytes for each
// cell before it returns the first.
func CheckLines(data []byte, cells, most int) error {
	number := 1
	for line := range bytes.Lines(data) {
		if len(line) > most {
			return errs.New("line %d has %s, and at most %s are read; end every row with a line feed",
				number, Bytes(int64(len(line))), Bytes(int64(most)))
		}
		if n := bytes.Count(line, []byte{','}) + 1; n > cells {
			return fmt.Errorf("line %d has %d columns, and at most %d are read", number, n, cells)
		}
		number++
	}
	return nil
}

// Fields splits a line at runs of blanks, tabs and line ends.
func Fields(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == '\r' || r == '\n' })
}

// Named reports whether a selector has the name of one of the forms, as "sigmoid:3" has that of
// "sigmoid[:DELTA]". A name of the user's own may stand in front.
func Named(selector string, forms []string) bool {
	_, selector = SplitName(selector)
	name, _, _ := strings.Cut(selector, ":")
	return slices.ContainsFunc(forms, func(form string) bool { return NameOf(form) == name })
}

// Unknown is the error for a name that is not one of the choices.
type Unknown struct {
	*errs.Advice
	Choices []string
	Near    bool // whether one choice is so near that only that is suggested
}

// Nearest returns the choices that are nearest to a name, at most n, the nearest first.
func Nearest(got string, choices []string, n int) []string {
	plain := func(name string) string { return strings.ToLower(strings.TrimLeft(name, "-")) }
	list := slices.Clone(choices)
	slices.SortStableFunc(list, func(a, b string) int {
		return cmp.Compare(editDistance(plain(got), plain(a)), editDistance(plain(got), plain(b)))
	})
	return list[:min(n, len(list))]
}

// UnknownError is the error for a name that is not one of the choices. It suggests the nearest if
// that is near, and else lists the choices, at most the first fifty, and without their arguments if
// the list is long. A choice is written with its arguments, as in "power:P" or "sigmoid[:DELTA]".
func UnknownError(what, got string, choices []string) error {
	// the dashes of a flag are ignored
	name, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(got, "-")), ":")
	hint := ""
	best := 1 + len(name)/2
	for _, choice := range choices {
		known := choice
		arguments := strings.TrimLeft(choice, "abcdefghijklmnopqrstuvwxyz0123456789-_")
		if strings.IndexAny(arguments, " .") != 0 && !strings.HasPrefix(choice, "-") {
			// else the choice is no selector, but words or a flag
			known = choice[:len(choice)-len(arguments)]
		}
		if known == "" { // a name that begins with a capital, such as T
			known = choice
		}
		plain := strings.ToLower(strings.TrimLeft(known, "-"))
		if len(name)-len(plain) >= best {
			// the distance is at least this difference; so a long name costs no time
			continue
		}
		if d := editDistance(name, plain); d < best || d == best && hint != "" && len(plain) == len(name) {
			// letters are more often swapped than left out
			hint = known
			best = d
		}
	}
	if hint != "" {
		hint = fmt.Sprintf("did you mean %s?", hint)
		if best <= max(1, len(name)/3) {
			return &Unknown{errs.New("unknown %s %q; %s", what, got, hint), choices, true}
		}
		hint += " "
	}
	shown := choices[:min(len(choices), maxChoices)]
	if listed := strings.Join(shown, ", "); len(listed) > maxListed {
		shown = slices.Clone(shown)
		for i, choice := range shown {
			shown[i] = NameOf(choice)
		}
	}
	listed := strings.Join(shown, ", ")
	if len(choices) > maxChoices {
		listed += fmt.Sprintf(",... (%d in all)", len(choices))
	}
	return &Unknown{errs.New("unknown %s %q; %schoices: %s", what, got, hint, listed), choices, false}
}

// maxListed is the number of bytes of a list from which on it has the choices without their
// arguments.
const maxListed = 600

// maxChoices is the largest number of choices that an error lists. Lists of forms and of names are
// shorter; that of the seeds of a sweep need not be.
const maxChoices = 50

// editDistance is Levenshtein's distance between two short names.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
