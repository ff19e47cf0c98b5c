package networks

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
)

// Unseen marks in the evidence a variable that was not observed.
const Unseen = -1

// Query is a network with evidence and with variables to sum out.
type Query struct {
	*Network
	File  string // where the network was read; empty if it stands in none
	About string // what it is, where it stands in no file
	// what stands behind the name of the format in the selector that is read as this query, in
	// canonical form
	Selector string
	Evidence []int  // the number of the value that each variable was seen to have, or Unseen
	Hidden   []bool // whether each variable is summed out

	numbers map[string]int // the number of each variable, by what selectors call it; nil before it is needed
	format  Format
	ends    [2]string // what stands in the selector before and behind the variables to sum out
}

// Collapsed is a query with other variables summed out.
type Collapsed struct{ Name, Selector string }

// Collapsings returns the query with nothing summed out, and then with each one of the unobserved
// variables summed out. Self is the index of the query itself among them, and -1 if it sums out
// more. There are none if only one variable is left.
func (q *Query) Collapsings() (all []Collapsed, self int) {
	all = []Collapsed{{"all", q.ends[0] + q.ends[1]}}
	self = 0
	hidden := 0
	for v, value := range q.Evidence {
		if value != Unseen {
			continue
		}
		option := keyHide + "=" + quote(q.format.selected(q.Network, v))
		if q.Hidden[v] {
			hidden += 1
			self = len(all)
		}
		all = append(all, Collapsed{option, q.ends[0] + ":" + option + q.ends[1]})
	}
	if hidden > 1 {
		self = -1
	}
	if len(all) < 3 {
		return nil, -1
	}
	return all, self
}

// Free returns the variables that are neither observed nor hidden, in ascending order.
func (q *Query) Free() (list []int) {
	for v := range q.Variables {
		if q.Evidence[v] == Unseen && !q.Hidden[v] {
			list = append(list, v)
		}
	}
	return list
}

// States returns the number of configurations of the free variables, +Inf if there are more than
// float64 holds.
func (q *Query) States() float64 {
	states := 1.0
	for _, v := range q.Free() {
		states *= float64(len(q.Variables[v].Labels))
	}
	return states
}

// LogStates returns the logarithm of States.
func (q *Query) LogStates() (log float64) {
	for _, v := range q.Free() {
		log += number.Log(float64(len(q.Variables[v].Labels)))
	}
	return log
}

// Describe says in a line what the query is.
func (q *Query) Describe() string {
	kind := "Markov"
	if q.Bayes {
		kind = "Bayesian"
	}
	seen := 0
	hidden := 0
	for v, value := range q.Evidence {
		if value != Unseen {
			seen++
		} else if q.Hidden[v] {
			hidden++
		}
	}
	text := fmt.Sprintf("a %s network of %s", kind, selector.Count(len(q.Variables), "variable"))
	if seen > 0 {
		text += fmt.Sprintf(", %d observed", seen)
	}
	if hidden > 0 {
		text += fmt.Sprintf(", %d summed out", hidden)
	}
	if q.File == "" {
		return text + ": " + q.About
	}
	return text + ", read from " + filepath.Base(q.File) + " as " + q.format.Title
}

// Ask returns a query about a network that is in no file. About says what the network is, and
// selected is its selector; evidence and hidden variables are written as for Open. All is the
// selector with them.
func Ask(n *Network, about, selected, evidence, hide string) (q *Query, all string, err error) {
	f := Format{evidence: (*Query).observations, selected: byName}
	q = &Query{
		Network:  n,
		About:    about,
		format:   f,
		Evidence: slices.Repeat([]int{Unseen}, len(n.Variables)),
		Hidden:   make([]bool, len(n.Variables)),
	}
	a := arguments{values: map[string]string{}}
	for key, value := range map[string]string{keyEvidence: evidence, keyHide: hide} {
		if value != "" {
			a.values[key] = value
		}
	}
	seen, err := f.see(q, a)
	if err != nil {
		return nil, "", err
	}
	hidden, err := f.hide(q, a)
	return q, selected + seen + hidden, err
}

// TableOrder is the order of the numbers of a table in BIF.
type TableOrder string

const (
	// ChildSlowest is the order of the proposal of BIF: first the probabilities of the first value
	// of the child, the last parent fastest.
	ChildSlowest TableOrder = ""
	// ChildFastest is that of UAI, in which some programs write BIF too: first all
	// probabilities given the first values of the parents.
	ChildFastest TableOrder = "child-fastest"
)

// Format is a format of files of networks.
type Format struct {
	Name    string // as it begins a selector
	Title   string // as texts call it
	Options string // the syntax of what may stand behind the path
	Doc     string // what such a file is, in a line
	Example string // a selector of it
	Source  string
	By      string // who writes such files; empty if they are recognised by models.ParseHMM

	keys  []string // the options that it has
	parse func(data []byte, order TableOrder) (*Network, error)
	// stands in the place of parse for what need not be a file
	read     func(path string) (*Network, error)
	evidence func(q *Query, data []byte, sample string) error // reads a file of evidence
	selected func(n *Network, v int) string                   // how selectors name a variable
	// of the file of evidence that evidence=auto takes; empty if there is none
	ending  string
	Endings []string // of the paths of its files, in small letters
	// names that stand for networks that need no file
	builtIn []string
}

// Formats returns the formats that are read.
func Formats() []Format {
	return []Format{
		{
			Name:     "bif",
			Title:    "BIF",
			By:       "bnlearn, pgmpy, aGrUM",
			Options:  "[:evidence=V=VALUE+...|FILE][:hide=V+...|:keep=V+...][:table=child-fastest]",
			Doc:      "a Bayesian network in BIF given evidence, some variables summed out",
			Example:  "bif:asia.bif",
			Source:   "Cozman, The Interchange Format for Bayesian Networks 0.15, 1997",
			Endings:  []string{".bif"},
			keys:     []string{keyEvidence, keyHide, keyKeep, keyTable},
			parse:    ParseBIF,
			evidence: (*Query).observations,
			selected: byName,
		},
		uaiFormat(),
		hmmFormat(),
	}
}

func byName(n *Network, v int) string { return n.Variables[v].Name }

func uaiFormat() Format {
	return Format{
		Name:     "uai",
		Title:    "UAI",
		By:       "the UAI competitions, aGrUM, merlin",
		Options:  "[:evidence=3=1+...|FILE.evid|auto][:hide=3+...|:keep=3+...]",
		Doc:      "a Bayesian or Markov network in the format of the UAI competitions, likewise",
		Example:  "uai:asia.uai",
		Source:   "file formats of the UAI competitions, 2006 to 2022",
		Endings:  []string{".uai"},
		keys:     []string{keyEvidence, keyHide, keyKeep},
		parse:    func(data []byte, _ TableOrder) (*Network, error) { return ParseUAI(data) },
		evidence: (*Query).sampled,
		selected: func(_ *Network, v int) string { return strconv.Itoa(v) },
		ending:   ".evid",
	}
}

// formatOf returns the format of a text: UAI if it begins so, and otherwise the given one.
func formatOf(data []byte, given Format) Format {
	s := newNumerals(string(bytes.TrimPrefix(data[:min(len(data), 1<<16)], []byte("\ufeff"))), "")
	if first := s.rest().text; first == "BAYES" || first == "MARKOV" {
		return uaiFormat()
	}
	return given
}

// Holds returns nil if a text begins as the files of UAI do, or if it can be read in another
// format.
func (f Format) Holds(data []byte) error {
	if formatOf(data, Format{}).Name == f.Name {
		return nil
	}
	_, err := f.parse(data, ChildSlowest)
	return err
}

// auto takes the file of evidence beside that of the network.
const auto = "auto"

// Parse reads the network that the arguments of a selector name, with its evidence and its hidden
// variables.
func (f Format) Parse(text string) (*Query, error) {
	a, err := splitArguments(text, f.keys)
	if err != nil {
		return nil, err
	}
	order := TableOrder(a.values[keyTable])
	if order != ChildSlowest && order != ChildFastest {
		return nil, errs.New("%s=%s is unknown; write %s=%s, or leave it away for the order of the format",
			keyTable, order, keyTable, ChildFastest)
	}
	n, held, err := f.network(a.path, order)
	if err != nil {
		return nil, err
	}
	f.Title = held.Title
	f.selected = held.selected
	f.evidence = held.evidence
	q := &Query{
		Network:  n,
		File:     a.path,
		format:   f,
		Evidence: slices.Clone(n.Given),
		Hidden:   make([]bool, len(n.Variables)),
	}
	if q.Evidence == nil {
		q.Evidence = slices.Repeat([]int{Unseen}, len(n.Variables))
	}
	if slices.Contains(f.builtIn, a.path) {
		q.File = ""
		q.About = a.path
	}
	seen, err := f.see(q, a)
	if err != nil {
		return nil, err
	}
	hidden, err := f.hide(q, a)
	if err != nil {
		return nil, err
	}
	left, err := n.reachableColumns(n.empty, q.Evidence)
	if err == nil && left != nil {
		err = mistakef(left[0].line,
			"the probabilities of %s sum to 0; make them sum to 1, within %v, or give evidence that rules "+
				"these values of the parents out",
			left[0].where, farSum)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.path, err)
	}
	q.ends[0] = a.path + seen
	if order == ChildFastest {
		q.ends[1] = ":" + keyTable + "=" + string(order)
	}
	q.Selector = q.ends[0] + hidden + q.ends[1]
	return q, nil
}

// network reads the network of a path, and returns the format that its file has.
func (f Format) network(path string, order TableOrder) (*Network, Format, error) {
	if f.read != nil {
		n, err := f.read(path)
		return n, f, err
	}
	if err := selector.Unread(path); err != nil {
		return nil, f, err
	}
	data, err := selector.ReadFile(path, maxFile)
	if err != nil {
		return nil, f, err
	}
	held := formatOf(data, f)
	n, err := held.parse(data, order)
	if err != nil {
		return nil, f, fmt.Errorf("%s: %w", path, err)
	}
	return n, held, nil
}

// see reads the evidence, and returns the option that says it in canonical form.
func (f Format) see(q *Query, a arguments) (option string, err error) {
	text, given := a.values[keyEvidence]
	switch {
	case !given:
		return "", nil
	case f.ending != "" && text == auto:
		if !there(a.path + f.ending) {
			q.Notes = append(q.Notes,
				fmt.Sprintf("there is no file %s, so that nothing has been observed", a.path+f.ending))
			return "", nil
		}
		return ":" + keyEvidence + "=" + auto, f.readEvidence(q, a.path+f.ending)
	case isFile(text):
		return ":" + keyEvidence + "=" + text, f.readEvidence(q, filePath(text))
	}
	for _, part := range splitOutside(text, '+') {
		o, err := splitObservation(part)
		if err == nil {
			err = q.observe(o, f)
		}
		if isFile(part) {
			err = fmt.Errorf("%w, or name a file alone", err)
		}
		if err != nil {
			return "", fmt.Errorf("evidence: %w", err)
		}
	}
	var parts []string
	for v, value := range q.Evidence {
		if value != Unseen && (q.Given == nil || q.Given[v] == Unseen) {
			parts = append(parts, quote(f.selected(q.Network, v))+"="+quote(q.Variables[v].Labels[value]))
		}
	}
	return ":" + keyEvidence + "=" + strings.Join(parts, "+"), nil
}

func there(path string) bool { _, err := os.Stat(path); return err == nil }

// readEvidence reads a file of evidence. A number behind the last # says which of its samples.
func (f Format) readEvidence(q *Query, path string) error {
	path, sample := splitSample(path)
	data, err := selector.ReadFile(path, maxEvid)
	if err != nil {
		return fmt.Errorf("evidence: %w", err)
	}
	data, err = selector.PlainText(data)
	if err == nil {
		err = f.evidence(q, data, sample)
	}
	if err != nil {
		return fmt.Errorf("evidence %s: %w", path, err)
	}
	return nil
}

// splitSample splits the number of a sample from the path of a file of evidence.
func splitSample(path string) (file, sample string) {
	if i := strings.LastIndexByte(path, '#'); i >= 0 && i+1 < len(path) &&
		strings.Trim(path[i+1:], "0123456789") == "" {
		return path[:i], path[i+1:]
	}
	return path, ""
}

// hide notes which variables are summed out, and returns the option that says it in canonical form.
func (f Format) hide(q *Query, a arguments) (option string, err error) {
	key := keyHide
	if a.values[keyKeep] != "" {
		key = keyKeep
	}
	text, given := a.values[key]
	if !given {
		return "", nil
	}
	named := make([]bool, len(q.Variables))
	for _, part := range splitOutside(text, '+') {
		name, err := unquote(part)
		v := 0
		if err == nil {
			v, err = q.called(name, f)
		}
		switch {
		case err != nil:
			return "", fmt.Errorf("%s: %w", key, err)
		case q.Evidence[v] != Unseen:
			return "", errs.New("%s: %s is observed; leave it away in one of the two", key, name)
		case named[v]:
			return "", errs.New("%s: %s stands twice; name each variable once", key, name)
		}
		named[v] = true
	}
	var parts []string
	for v, is := range named {
		q.Hidden[v] = is == (key == keyHide) && q.Evidence[v] == Unseen
		if is {
			parts = append(parts, quote(f.selected(q.Network, v)))
		}
	}
	return ":" + key + "=" + strings.Join(parts, "+"), nil
}

// Path returns the path of the network that the arguments of a selector name, and "" if they name
// none.
func (f Format) Path(text string) string {
	a, err := splitArguments(text, f.keys)
	if err != nil || slices.Contains(f.builtIn, a.path) {
		return ""
	}
	return a.path
}

// Files returns the files that the arguments of a selector name: that of the evidence, and then
// that of the network.
func (f Format) Files(text string) []string {
	a, err := splitArguments(text, f.keys)
	if err != nil {
		return nil
	}
	var files []string
	switch evidence, given := a.values[keyEvidence]; {
	case !given:
	case f.ending != "" && evidence == auto:
		if there(a.path + f.ending) {
			files = append(files, a.path+f.ending)
		}
	case isFile(evidence):
		file, _ := splitSample(filePath(evidence))
		files = append(files, file)
	}
	if path := f.Path(text); path != "" {
		files = append(files, path)
	}
	return files
}
