package programs

import (
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"breadboard/chains/errs"

	"github.com/kballard/go-shellquote"
)

// command is what starts a program.
type command struct {
	text  string   // as messages name it
	words []string // the program and its arguments; no shell is involved
}

// splitCommand returns the command of a text, which is split as a shell does.
func splitCommand(text string) (command, error) {
	words, err := splitWords(text, runtime.GOOS == "windows")
	switch {
	case err != nil:
		return command{}, errs.New("exec:%s: %w; quote what has blanks, as in exec:python3 'my kernel.py', or write "+
			"exec:[\"python3\", \"my kernel.py\"]",
			text, err)
	case len(words) == 0 || words[0] == "":
		return command{}, errs.New("no command; write exec:COMMAND, as in exec:python3 kernel.py")
	}
	for i, word := range words {
		if inner, opened := strings.CutPrefix(word, "'"); opened && strings.HasSuffix(inner, "'") {
			words[i] = strings.TrimSuffix(inner, "'")
		}
	}
	return command{text, words}, nil
}

// splitWords returns the words of a command: those of a JSON array, or those of a text with blanks
// between them, in which quotes mean what they mean to a POSIX shell. On Windows a backslash is
// part of a path, and quotes nothing.
func splitWords(text string, windows bool) (words []string, err error) {
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		err = decodeStrictly([]byte(text), &words)
		return words, err
	}
	if windows {
		text = segment.ReplaceAllStringFunc(text, func(s string) string {
			if s[0] == '\'' {
				return s
			}
			return strings.ReplaceAll(s, `\`, `\\`)
		})
	}
	return shellquote.Split(text)
}

// joinCommand returns the command of words, which may have blanks in them. The text has such words
// in quotes.
func joinCommand(words []string) (command, error) {
	if len(words) == 0 || words[0] == "" {
		return command{}, errs.New("no command; write the program and its arguments, as in python3 my_ais.py")
	}
	shown := make([]string, len(words))
	for i, word := range words {
		shown[i] = word
		if word == "" || strings.ContainsFunc(
			word,
			func(r rune) bool { return !unicode.IsPrint(r) || r == ' ' || r == '"' },
		) {
			shown[i] = strconv.Quote(word)
		}
	}
	return command{strings.Join(shown, " "), slices.Clone(words)}, nil
}
