package files

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"breadboard/chains/selector"
)

// stanRun is what the comments in a file of CmdStan's say about the run that wrote it. The zero
// value is that of any other text.
//
// Source: CmdStan User's Guide, appendix Stan CSV File Format.
type stanRun struct {
	known             bool // whether its comments say that the file is one of these
	method, algorithm string
	saved             bool // whether the draws of the warm-up are in the file too
	numbers           map[string]int
	columns           int
	rows              int  // how many rows have been read, those of the warm-up among them
	warm              int  // how many of them are of the warm-up
	finished          bool // whether the time that the run took stands at the end
	cut               bool // whether the last line was cut off, and has been left out
}

// maxStan is the largest number in the comments that is believed.
const maxStan = 1e12

// configure reads a comment above the header.
func (s *stanRun) configure(comment string) {
	key, value, _ := strings.Cut(comment, "=")
	key, value = strings.TrimSpace(key),
		strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "(Default)"))
	switch key {
	case "stan_version_major":
		s.known = true
	case "method":
		s.method = value
	case "algorithm":
		s.algorithm = value
	case "save_warmup":
		s.saved = value == "1" || value == "true"
	case "num_samples", "num_warmup", "thin":
		if n, err := strconv.Atoi(value); err == nil && n >= 0 && float64(n) <= maxStan {
			if s.numbers == nil {
				s.numbers = map[string]int{}
			}
			s.numbers[key] = n
		}
	}
}

// checkComments looks at what the comments above the names of the columns have said. It fails if
// the file holds no chain.
func (s *stanRun) checkComments(columns int) *fault {
	s.columns = columns
	if s.method != "" && s.method != "sample" && s.method != "generate_quantities" {
		return wrong("the output of CmdStan's method "+s.method+", which is no Markov chain",
			"give the output of its method sample")
	}
	if !s.saved || s.algorithm == "fixed_param" { // which has no warm-up
		return nil
	}
	warmup, said := s.numbers["num_warmup"]
	if !said {
		return wrong("save_warmup and no num_warmup in the comments above",
			"keep the comments of CmdStan, which say which draws belong to the warm-up")
	}
	s.warm = s.kept(warmup)
	return nil
}

// kept returns how many of that many iterations are in the file, of which the first and then one of
// every that many is written.
func (s *stanRun) kept(iterations int) int {
	thin := max(1, s.numbers["thin"])
	return (iterations + thin - 1) / thin
}

// expected returns how many draws after the warm-up the run was asked for, if the comments say it.
func (s *stanRun) expected() (n int, said bool) {
	n, said = s.numbers["num_samples"]
	return s.kept(n), said
}

// comment reads a comment below the header. It fails if the warm-up ends elsewhere than the
// comments above the header say.
func (s *stanRun) comment(line []byte) *fault {
	text := bytes.TrimLeft(line, "# \t")
	if !s.known {
		return nil
	}
	if bytes.HasPrefix(text, []byte("Elapsed Time")) {
		s.finished = true
	}
	if !bytes.HasPrefix(text, []byte("Adaptation terminated")) || s.rows == s.warm {
		return nil
	}
	found := fmt.Sprintf(
		"the end of the adaptation after %s of the warm-up, but no comment about them above the header",
		selector.Count(s.rows, "row"),
	)
	if s.saved {
		found = fmt.Sprintf(
			"the end of the adaptation after %s, but save_warmup, num_warmup and thin above the header "+
				"give %d of the warm-up",
			selector.Count(s.rows, "row"),
			s.warm,
		)
	}
	return wrong(found, "give the unchanged file of CmdStan, or delete the rows above this line")
}

// countRow counts a row, and reports whether it is a draw that is to be read: one after the
// warm-up.
func (s *stanRun) countRow() bool {
	s.rows++
	return s.rows > s.warm
}

// aborted reports whether a row of that many cells without an end of the line is one within which
// the run was aborted: it is not the last one that the run was asked for, or not whole.
func (s *stanRun) aborted(cells int) bool {
	n, said := s.expected()
	return said && (s.rows+1 < s.warm+n || cells < s.columns)
}

// none is the fault of a file that has no draw.
func (s *stanRun) none() *fault {
	if s.rows == 0 {
		return noRows()
	}
	return wrong(fmt.Sprintf("%s of the warm-up, of %d, and no draw after them",
		selector.Count(min(s.rows, s.warm), "row"), s.warm), "let the run finish")
}

// notes say what was left out, and whether draws are missing, once the file has been read.
func (s *stanRun) notes() (notes []string) {
	if !s.known {
		return nil
	}
	if s.warm > 0 {
		notes = append(notes, selector.Count(s.warm, "draw")+" of the warm-up omitted")
	}
	if s.cut {
		notes = append(notes, "the last line is incomplete and omitted")
	}
	if n, said := s.expected(); said && s.rows-s.warm < n && !s.finished {
		notes = append(notes,
			fmt.Sprintf("the file has %d of the %d draws that the run was asked for", s.rows-s.warm, n))
	}
	return notes
}

// stanName returns the name of a variable as Stan's own tables have it, theta[1,2] for theta.1.2.
// Names of other forms stay as they are.
func stanName(name string) string {
	root, indices, found := strings.Cut(name, ".")
	if !found || root == "" || strings.Contains(name, ":") { // of a tuple
		return name
	}
	for index := range strings.SplitSeq(indices, ".") {
		if n, err := strconv.Atoi(index); err != nil || n < 1 {
			return name
		}
	}
	return root + "[" + strings.ReplaceAll(indices, ".", ",") + "]"
}
