package matrices

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/selector"
)

// ParseTransitions reads the transitions of a chain of at most the given number of states from
// PRISM's explicit files (.tra): a line with the numbers of states and of transitions, and a line
// "from to probability" for each, in any order, with states from 0 on. The name of an action may
// follow and is ignored. Probabilities may be fractions, such as 1/3. A repeated transition is an
// error.
func ParseTransitions(data []byte, most int) (*Rows, error) {
	l, err := newLines(data, "#")
	if err != nil {
		return nil, err
	}
	size, err := l.transitionsHeader()
	if err != nil {
		if advice := selector.DIMACSAdvice(string(data)); advice != "" {
			err = fmt.Errorf("%w; %s", err, advice)
		}
		return nil, err
	}
	if err := fits(size[0], uint64(most)); err != nil {
		return nil, at(l.number, "%w", err)
	}
	const shortest = 6 // bytes that a transition takes, with the end of its line
	var entries []entry
	err = l.promised("transitions", size[1], shortest, func() error {
		e, err := l.transition(int(size[0]))
		entries = append(entries, e)
		return err
	})
	if err != nil {
		return nil, err
	}
	r, err := gather(int(size[0]), entries)
	if err != nil {
		return nil, err
	}
	r.Rounding = l.written.rounding()
	return r, nil
}

// transitionsHeader reads the line of sizes, and refuses models that are not chains in discrete
// time.
func (l *lines) transitionsHeader() ([]uint64, error) {
	found, err := l.next()
	if err != nil {
		return nil, err
	}
	const want = "a chain's file begins with the numbers of states and of transitions"
	if !found {
		return nil, errors.New("the file has no transitions; " + want)
	}
	for _, remark := range l.remarks {
		if kind, is := strings.CutPrefix(remark, "# Transitions ("); is && kind != "DTMC)" {
			return nil, at(l.number, "the file says that it is of the kind %s, and only DTMC can be read: a Markov chain in discrete time",
				strings.TrimSuffix(kind, ")"))
		}
	}
	if matlab.MatchString(l.text) {
		return nil, at(l.number, "%q begins a matrix of MATLAB's; %w", l.text, errMATLAB)
	}
	switch strings.ToLower(l.fields[0]) {
	case "dtmc", "ctmc", "mdp", "ma", "states":
		return nil, at(l.number, "%q begins a file of Storm's or MRMC's own format, and not PRISM's; have PRISM write its own, with -exportmodel FILE.tra", l.text)
	}
	switch len(l.fields) {
	case 2:
	case 3:
		return nil, at(l.number, "%q has the three sizes of a Markov decision process: states, choices, transitions; only chains can be read: %s", l.text, want)
	case 4:
		return nil, at(l.number, "%q has the four sizes of a partially observable Markov decision process; only chains can be read: %s", l.text, want)
	default:
		return nil, at(l.number, "%q has %d words; %s", l.text, len(l.fields), want)
	}
	size := make([]uint64, 2)
	for i, what := range []string{"number of states", "number of transitions"} {
		if size[i], err = l.count(l.fields[i], what); err != nil {
			return nil, err
		}
	}
	return size, nil
}

// transition reads the transition of a line.
func (l *lines) transition(n int) (e entry, err error) {
	e.line = int32(l.number)
	switch {
	case len(l.fields) > 1 && strings.Contains(l.fields[1], ":"):
		return e, at(l.number, "%q has a whole row; have PRISM export a transition a line", l.text)
	case len(l.fields) == 4 && isNumber(l.fields[3]), len(l.fields) == 5:
		return e, at(l.number, "%q has a choice beside the two states, as in a Markov decision process; only chains can be read: from to probability", l.text)
	case len(l.fields) != 3 && len(l.fields) != 4:
		return e, at(l.number, "%q has %d words; a transition has three: from to probability", l.text, len(l.fields))
	case strings.HasPrefix(l.fields[2], "["):
		return e, at(l.number, "%s is an interval of probabilities; only chains with one probability for each transition can be read", l.fields[2])
	}
	if e.from, err = l.place(l.fields[0], "state", 0, n); err != nil {
		return e, err
	}
	if e.to, err = l.place(l.fields[1], "state", 0, n); err != nil {
		return e, err
	}
	e.p, err = l.fraction(l.fields[2])
	return e, err
}

// isNumber reports whether a word is a number, or a fraction.
func isNumber(word string) bool {
	word, _, _ = strings.Cut(word, "/")
	_, err := selector.ParseNumber(word)
	return err == nil
}

// fraction reads a probability that may be written as a fraction of whole numbers, which is exact.
func (l *lines) fraction(text string) (float64, error) {
	above, below, is := strings.Cut(text, "/")
	if !is {
		return l.probability(text)
	}
	numerator, err := l.count(above, "numerator")
	if err != nil {
		return 0, err
	}
	denominator, err := l.count(below, "denominator")
	if err != nil {
		return 0, err
	}
	if denominator == 0 || numerator > denominator {
		return 0, at(l.number, "%s is no probability; a chain's rows have numbers from 0 to 1", text)
	}
	nearest, _ := new(big.Rat).SetFrac(new(big.Int).SetUint64(numerator), new(big.Int).SetUint64(denominator)).Float64()
	return nearest, nil
}

// Transitions returns the rows as a PRISM .tra file, with 17 digits for each probability, which
// determine a float64.
func Transitions(r *Rows) []byte {
	return appendEntries(fmt.Appendf(nil, "%d %d\n", r.Len(), len(r.P)), r, 0)
}

// labelName is the name of a label as PRISM declares it, with its number.
var labelName = regexp.MustCompile(`^(\d+)="([^"]+)"$`)

// ParseLabels reads the labels of a chain of n states from PRISM's explicit files (.lab): a line
// that numbers their names, such as 0="init" 1="goal", and a line "state: labels" for each state
// with labels.
func ParseLabels(data []byte, n int) ([]Label, error) {
	l, err := newLines(data, "#")
	if err != nil {
		return nil, err
	}
	found, err := l.next()
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errors.New(`the file has no labels; it begins with their names, as 0="init" 1="goal"`)
	}
	var labels []Label
	for i, word := range l.fields {
		m := labelName.FindStringSubmatch(word)
		if m == nil || m[1] != strconv.Itoa(i) {
			return nil, at(l.number, `%s is not the name of label %d; write %d="NAME"`, word, i, i)
		}
		if slices.ContainsFunc(labels, func(other Label) bool { return other.Name == m[2] }) {
			return nil, at(l.number, "the name %s stands twice; labels have names of their own", m[2])
		}
		if uint64(n)*uint64(i+1) > maxMarks {
			return nil, at(l.number, "%d labels of %d states are more than %d marks; leave labels out", len(l.fields), n, maxMarks)
		}
		labels = append(labels, Label{m[2], make([]bool, n)})
	}
	for {
		found, err := l.next()
		if err != nil {
			return nil, err
		}
		if !found {
			return labels, nil
		}
		if err := l.labelled(labels, n); err != nil {
			return nil, err
		}
	}
}

// maxMarks bounds the memory that labels take, one byte for each state and label.
const maxMarks = 1 << 28

// labelled reads the line of a state.
func (l *lines) labelled(labels []Label, n int) error {
	state, rest, colon := strings.Cut(l.text, ":")
	if !colon {
		return at(l.number, `%q has no colon; write a state's number and its labels, as "3: 0 1"`, l.text)
	}
	x, err := l.place(strings.TrimSpace(state), "state", 0, n)
	if err != nil {
		return err
	}
	for _, word := range selector.Fields(rest) {
		i, err := l.place(word, "label", 0, len(labels))
		if err != nil {
			return err
		}
		labels[i].In[x] = true
	}
	return nil
}

// LabelsText returns labels as a PRISM .lab file.
func LabelsText(labels []Label) []byte {
	var b []byte
	for i, label := range labels {
		if i > 0 {
			b = append(b, ' ')
		}
		b = fmt.Appendf(b, "%d=%q", i, label.Name)
	}
	b = append(b, '\n')
	if len(labels) == 0 {
		return b
	}
	for x := range labels[0].In {
		var in []byte
		for i, label := range labels {
			if label.In[x] {
				in = strconv.AppendInt(append(in, ' '), int64(i), 10)
			}
		}
		if in != nil {
			b = fmt.Appendf(b, "%d:%s\n", x, in)
		}
	}
	return b
}

// rewardHeader is the comment that names rewards.
var rewardHeader = regexp.MustCompile(`^# Reward structure "([^"]*)"$`)

// ParseRewards reads the rewards of at most the given number of states from PRISM's explicit files
// (.srew): a line with the numbers of states and of rewards, and a line "state reward" for each
// that is not zero.
func ParseRewards(data []byte, most int) (*Reward, error) {
	l, err := newLines(data, "#")
	if err != nil {
		return nil, err
	}
	size, err := l.header([]string{"states", "rewards that are not zero"})
	if err != nil {
		return nil, err
	}
	if err := fits(size[0], uint64(most)); err != nil {
		return nil, at(l.number, "%w", err)
	}
	r := &Reward{Values: make([]float64, size[0])}
	for _, remark := range l.remarks {
		if m := rewardHeader.FindStringSubmatch(remark); m != nil {
			r.Name = m[1]
		}
		if remark == "# Transition rewards" {
			return nil, at(l.number, "these are rewards of transitions, and only those of states can be read")
		}
	}
	given := make([]bool, size[0])
	const shortest = 4 // bytes that a reward takes, with the end of its line
	return r, l.promised("rewards", size[1], shortest, func() error {
		if len(l.fields) != 2 {
			return at(l.number, "%q has %d words; write a state and its reward", l.text, len(l.fields))
		}
		x, err := l.place(l.fields[0], "state", 0, len(r.Values))
		if err != nil {
			return err
		}
		if given[x] {
			return at(l.number, "state %d has a reward already; add them up, or leave one out", x)
		}
		given[x] = true
		r.Values[x], err = l.value(l.fields[1])
		return err
	})
}

// RewardText returns the rewards of states as a PRISM .srew file.
func RewardText(r *Reward) []byte {
	var b []byte
	count := 0
	for x, v := range r.Values {
		if v != 0 {
			count++
			b = strconv.AppendInt(b, int64(x), 10)
			b = append(appendNumber(append(b, ' '), v), '\n')
		}
	}
	return append(fmt.Appendf(nil, "# Reward structure %q\n# State rewards\n%d %d\n", r.Name, len(r.Values), count), b...)
}

// StatesText returns the values of variables in each of n states as a PRISM .sta file.
func StatesText(s *States, n int) []byte {
	b := fmt.Appendf(nil, "(%s)\n", strings.Join(s.Names, ","))
	for x := range n {
		b = fmt.Appendf(b, "%d:(", x)
		for i, v := range s.At(x) {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(v), 10)
		}
		b = append(b, ")\n"...)
	}
	return b
}
