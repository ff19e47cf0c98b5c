package reports

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// FileNames says how the tables and figures of a run are called in their folder:
// STUDY[-NUMBER][_partial][_PART], or RUN[-partial][-PART] if the user names the run. With the zero
// FileNames a table or a figure has the name that its report gives it.
type FileNames struct {
	// Run is the name that the user gives the run; empty for none. Its tables and figures are then
	// called by letters, digits and hyphens alone, so that LaTeX can typeset their names.
	Run     string
	Study   string // the words of the command, with underscores between them
	Number  int    // that of the run among those of the study in the folder (see Directory.Claim)
	Partial bool   // whether the run was interrupted
	// the study with its parameters in full, from the function Question: it distinguishes different
	// runs
	Question string
}

// These are the largest lengths of the name of a run, and of that of a part of it. Most systems
// allow 255 characters in all.
const (
	maxRun  = 60
	maxPart = 100
)

// numbered returns a name with the number of a run behind it, if it is not the first in its folder.
func numbered(name string, number int) string {
	if number < 2 {
		return name
	}
	return name + "-" + strconv.Itoa(number)
}

// NameOf returns the name of a part of the report, without an ending. An empty part names the main
// table. A prefix of whole words that part shares with the study's name is dropped.
func (n FileNames) NameOf(part string) string {
	if n.Study == "" {
		return part
	}
	name := cmp.Or(n.Run, numbered(n.Study, n.Number))
	part = unshared(n.Study, part)
	if n.Partial {
		name += "_partial"
	}
	if part != "" {
		name += "_" + cut(part, part, maxPart, false)
	}
	return n.hyphened(name)
}

// OfFile returns the name of a file that is neither a table nor a figure, such as of betas: the
// given one, with the number of the run, or behind the name that the user gives the run.
func (n FileNames) OfFile(name string) string {
	end := filepath.Ext(name)
	stem := strings.TrimSuffix(name, end)
	if n.Run == "" {
		return numbered(stem, n.Number) + end
	}
	return n.hyphened(n.Run+"_"+stem) + end
}

// hyphened replaces the underscores and points of the name of a part if the run has a name.
func (n FileNames) hyphened(name string) string {
	if n.Run == "" {
		return name
	}
	return strings.NewReplacer("_", "-", ".", "-").Replace(name)
}

// ParseRun reads a name for a run.
func ParseRun(text string) (string, error) {
	if !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]*$`).MatchString(text) || len(text) > maxRun {
		return "", errs.New("%q is not the name of a run; write at most %d letters, digits and hyphens, as in fig-2",
			selector.Cut(text), maxRun)
	}
	return text, nil
}

// unshared returns what is left of the name of a part without the whole words with which it begins
// as the name of the study does.
func unshared(study, part string) string {
	words := strings.Split(study, "_")
	rest := strings.Split(part, "_")
	for len(words) > 0 && len(rest) > 0 && words[0] == rest[0] {
		words = words[1:]
		rest = rest[1:]
	}
	return strings.Join(rest, "_")
}

// ofTable returns the name of the files of a table.
func (n FileNames) ofTable(t *Table) string {
	if t.own && n.Study != "" {
		return n.NameOf("")
	}
	return n.NameOf(t.Name)
}

// Parameter is an argument of a run, or one of its flags, with its values.
type Parameter struct {
	Name   string // empty for an argument
	Values []string
}

// Question writes a study and its parameters in full, for the record of a run, as "tightness
// toy=barrier T=50".
func Question(study string, parameters []Parameter) string {
	words := []string{study}
	for _, p := range parameters {
		text := strings.Join(p.Values, ",")
		if p.Name != "" {
			text = p.Name + "=" + text
		}
		words = append(words, text)
	}
	return strings.Join(words, " ")
}

// cut returns a name of at most that many characters. One that is longer, or that has lost
// something, ends in a hash of the whole text for which it stands.
func cut(name, whole string, most int, lost bool) string {
	if len(name) <= most && !lost {
		return name
	}
	sum := sha256.Sum256([]byte(whole))
	hash := hex.EncodeToString(sum[:4])
	return strings.TrimLeft(strings.TrimRight(name[:min(len(name), most-len(hash)-1)], "._-")+"-"+hash, "-")
}

// FileName turns a selector into a file name without folders. Each character that is not a letter,
// digit, point, dash or underscore becomes a dash, and points and dashes at the start are removed.
// If that may be the name of another selector, or is long, it ends in a hash of the whole selector.
func FileName(selector string) string {
	name, lost := portable(selector)
	if name == "" && !lost {
		return "toy"
	}
	return cut(name, selector, maxPart, lost)
}

// portable replaces each character that is not a letter, digit, point, dash or underscore by a
// dash, and removes points and dashes from the start. It reports whether another text may have
// become the same: a colon alone becomes a dash unnoticed, but not in what may be a name with
// dashes, such as heatbath-scan or 1e-9, whose dashes stay.
func portable(text string) (name string, lost bool) {
	colons := strings.Contains(text, ":")
	dashes := strings.Contains(text, "-")
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune("._-", r) || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' ||
			r >= 'A' && r <= 'Z' {
			return r
		}
		lost = lost || r != ':'
		return '-'
	}, text)
	named := regexp.MustCompile(`^([a-z_]+(-[a-z_]+)+|[0-9.]+e-[0-9]+)$`).MatchString(name)
	begin := strings.TrimLeft(name, ".-")
	return begin, lost || begin != name || colons && (dashes || named) || dashes && !named
}
