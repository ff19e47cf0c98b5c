package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"breadboard/chains"
	"breadboard/chains/work"
	"breadboard/toys"
)

// exampleSeed is the seed of the worked example. It is fixed, so that the same task always has the
// same example.
const exampleSeed = 1

// choiceMade is a random choice of a kernel with its outcome.
type choiceMade struct {
	Kind string `json:"kind"` // flip, uniform or choose
	// of flip the probability of 1; of choose all probabilities, unless there are more than
	// maxListed
	P           []jsonNumber `json:"p,omitempty"`
	N           int          `json:"n,omitempty"` // of uniform and choose the number of outcomes
	Outcome     int          `json:"outcome"`     // of flip 1 for true
	Probability jsonNumber   `json:"probability"` // of the outcome
}

// maxListed is the largest number of probabilities of a choice that are listed.
const maxListed = 100

// narrator is a Chooser that has another one make the choices, and notes them with their
// probabilities.
type narrator struct {
	chooser chains.Chooser
	made    []choiceMade
}

// takeChoices returns the choices so far, and begins anew.
func (n *narrator) takeChoices() []choiceMade {
	made := n.made
	n.made = nil
	return made
}

// Flip implements chains.Chooser.
func (n *narrator) Flip(p float64) bool {
	c := choiceMade{Kind: "flip", P: []jsonNumber{jsonNumber(p)}, Probability: jsonNumber(1 - p)}
	is := n.chooser.Flip(p)
	if is {
		c.Outcome, c.Probability = 1, jsonNumber(p)
	}
	n.made = append(n.made, c)
	return is
}

// Uniform implements chains.Chooser.
func (n *narrator) Uniform(k int) int {
	i := n.chooser.Uniform(k)
	n.made = append(n.made, choiceMade{Kind: "uniform", N: k, Outcome: i, Probability: jsonNumber(1 / float64(k))})
	return i
}

// Choose implements chains.Chooser.
func (n *narrator) Choose(p []float64) int {
	i := n.chooser.Choose(p)
	c := choiceMade{Kind: "choose", N: len(p), Outcome: i, Probability: jsonNumber(p[i])}
	if len(p) <= maxListed {
		c.P = numbers(p)
	}
	n.made = append(n.made, c)
	return i
}

// workedStep is one stage of the worked example.
type workedStep struct {
	Stage       int          `json:"stage"`
	BetaBefore  jsonNumber   `json:"beta_before"`  // b_{t-1}
	Beta        jsonNumber   `json:"beta"`         // b_t, under which the kernel moves
	StateBefore int          `json:"state_before"` // before the move
	Choices     []choiceMade `json:"choices"`      // of the move
	StateAfter  int          `json:"state_after"`  // after the move
	WeighedAt   int          `json:"weighed_at"`   // x_{t-1}, at which the increment is taken
	LogFBefore  jsonNumber   `json:"log_f_before"` // log f_{t-1} there
	LogF        jsonNumber   `json:"log_f"`        // log f_t there
	Increment   jsonNumber   `json:"increment"`    // log f_t - log f_{t-1} there
	LogW        jsonNumber   `json:"log_w"`        // the sum of all increments so far
}

// workedChain is one chain of the worked example.
type workedChain struct {
	Direction string       `json:"direction"`
	Start     string       `json:"start"` // in words
	Choice    choiceMade   `json:"choice"`
	XFirst    int          `json:"x_first"`
	XLast     int          `json:"x_last"`
	LogW      jsonNumber   `json:"log_w"`
	LeftOut   int          `json:"stages_left_out"` // stages in the middle that are not listed
	Steps     []workedStep `json:"steps"`
}

// maxWorked is the largest number of stages of which all are listed. Of more the first and the last
// shownWorked are.
const (
	maxWorked   = 1000
	shownWorked = 10
)

// workedExample is what example.json holds.
type workedExample struct {
	About   []string     `json:"about"`
	Seed    int          `json:"seed"`
	Forward *workedChain `json:"forward"`
	Reverse *workedChain `json:"reverse"`
}

// example returns one chain of each direction. The kernels are those that the matrices are of.
func (t *Task) example(ctx context.Context, a *chains.Annealing) (*workedExample, error) {
	e := &workedExample{Seed: exampleSeed, About: []string{
		"One chain of each direction with every number. The random numbers are this program's own: follow " +
			"the outcomes of the choices, and do not expect them from another generator.",
		"A choice is a flip (outcome 1 with probability p), a uniform choice among 0..n-1, or a choice of " +
			"an index with the probabilities p. Each has its outcome and the probability of that outcome.",
		"log_f_before and log_f are log f_(t-1) and log f_t at the state weighed_at, which is x_(t-1): " +
			"the state before the move forward, and after it in reverse. Their difference is the " +
			"increment, up to rounding.",
	}}
	var err error
	e.Forward, err = t.work(ctx, a, chains.Forward)
	if err != nil {
		return nil, err
	}
	e.Reverse, err = t.work(ctx, a, chains.Reverse)
	return e, err
}

// work runs one chain in a direction, written out from the definition (see chains.Annealing), since
// it shows every number on the way.
func (t *Task) work(ctx context.Context, a *chains.Annealing,
	d chains.Direction) (chain *workedChain, err error) {
	T := a.Distributions()
	n := a.States()
	var seed [32]byte
	seed[0], seed[1] = exampleSeed, byte(d)
	talk := &narrator{chooser: chains.NewSampler(rand.NewChaCha8(seed))}
	law := make([]float64, n)
	logf := make([]float64, n)
	first := 1
	start := "x_1 is drawn from p_1"
	if d == chains.Reverse {
		first = T
		start = "x_T is drawn from p_T"
	}
	a.LogF(law, first)
	chains.Normalize(law)
	x := talk.Choose(law)
	chain = &workedChain{Direction: d.String(), Start: start, XFirst: x, XLast: x}
	chain.Choice = talk.takeChoices()[0]
	chain.Choice.P = nil // a probability for each state of the space
	weigh := &weigher{t.Case.Annealing(), d, make([]float64, n), make([]float64, n), make([]float64, n)}
	total := 0.0
	for i := 2; i <= T; i++ {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		stage := i
		if d == chains.Reverse {
			stage = T + 2 - i
		}
		k, err := kernelIn(a, d, stage)
		if err != nil {
			return nil, t.Case.Wrong(err)
		}
		a.LogF(logf, stage)
		s := workedStep{
			Stage:       stage,
			StateBefore: x,
			BetaBefore:  jsonNumber(a.Beta(stage - 1)),
			Beta:        jsonNumber(a.Beta(stage)),
		}
		x, err = moveOnce(k, talk, logf, x)
		if err != nil {
			return nil, t.Case.Wrong(err)
		}
		s.Choices = talk.takeChoices()
		s.StateAfter = x
		s.WeighedAt = s.StateBefore
		if d == chains.Reverse {
			s.WeighedAt = x
		}
		before, after, increment := weigh.logWeightsAt(stage, s.WeighedAt)
		total += increment
		s.LogFBefore, s.LogF, s.Increment, s.LogW = jsonNumber(before), jsonNumber(after),
			jsonNumber(increment), jsonNumber(total)
		if T-1 <= maxWorked || stage-2 < shownWorked || T-stage < shownWorked {
			chain.Steps = append(chain.Steps, s)
		} else {
			chain.LeftOut++
		}
	}
	chain.LogW = jsonNumber(total)
	chain.XLast = x
	if d == chains.Reverse {
		chain.XFirst, chain.XLast = x, chain.XFirst
	}
	return chain, nil
}

// moveOnce makes one move. A kernel that is not of the library may panic.
func moveOnce(k chains.Kernel, c chains.Chooser, logf []float64, x int) (y int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = work.AtStates(fmt.Errorf("kernel %s at state %d: %w", chains.NameOf(k), x, chains.MovePanic(r)), x)
		}
	}()
	y = k.Move(c, logf, x)
	if y < 0 || y >= len(logf) {
		return 0, chains.NewFault(
			fmt.Errorf("kernel %s at state %d: its Move went to state %d, outside 0..%d", chains.NameOf(k),
				x, y, len(logf)-1),
		)
	}
	return y, nil
}

// weigher gives the increments of log weights as they are defined.
type weigher struct {
	a             *chains.Annealing
	direction     chains.Direction
	before, after []float64
	ratio         []float64
}

// logWeightsAt returns log f_{t-1} and log f_t of a state, and their difference with all its
// digits. Where f is zero the weight of a chain becomes zero forward and infinite in reverse, and
// once that has happened nothing changes it (see simulate.AIS).
func (w *weigher) logWeightsAt(stage, x int) (before, after, increment float64) {
	w.a.LogF(w.before, stage-1)
	w.a.LogF(w.after, stage)
	w.a.LogRatio(w.ratio, stage)
	before = w.before[x]
	after = w.after[x]
	increment = w.ratio[x]
	was := !math.IsInf(before, -1)
	is := !math.IsInf(after, -1)
	switch {
	case was && is:
	case was && w.direction == chains.Forward:
		increment = math.Inf(-1)
	case is && w.direction == chains.Reverse:
		increment = math.Inf(1)
	default:
		increment = 0
	}
	return before, after, increment
}

// encodeExample returns example.json.
func encodeExample(e *workedExample, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	data, err := json.MarshalIndent(e, "", " ")
	return append(data, '\n'), err
}

// shortest writes a number in the fewest digits that read back as itself. An infinity is "-Inf" or
// "+Inf", which the number parsers of Python, C and most other languages take.
func shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// jsonNumber is a number in JSON. JSON has none for an infinity, which is the text "-Inf" or
// "+Inf".
type jsonNumber float64

// MarshalJSON writes the shortest form.
func (n jsonNumber) MarshalJSON() ([]byte, error) {
	text := shortest(float64(n))
	if math.IsInf(float64(n), 0) {
		return []byte(`"` + text + `"`), nil
	}
	return []byte(text), nil
}

// numbers returns values as they are written in JSON.
func numbers(values []float64) []jsonNumber {
	out := make([]jsonNumber, len(values))
	for i, v := range values {
		out[i] = jsonNumber(v)
	}
	return out
}

// labels returns the function that names the states of a toy: by labels if it has them, else by
// numbers.
func labels(toy *toys.Toy) func(x int) string {
	if toy.InWords() {
		return toy.Label
	}
	return strconv.Itoa
}

func tenDigits(v float64) string { return strconv.FormatFloat(v, 'g', 10, 64) }

// twoNumbers writes two numbers, with as many digits as tell them apart.
func twoNumbers(a, b float64) (string, string) {
	if one, other := tenDigits(a), tenDigits(b); one != other || a == b {
		return one, other
	}
	return shortest(a), shortest(b)
}
