package programs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"time"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/work"
	"breadboard/grid"
)

// DefaultDeadline is how long a program may take for one reply.
const DefaultDeadline = 5 * time.Second

// Programs holds the programs of a run. Close ends them.
type Programs struct {
	start    starter
	deadline time.Duration
	watch    watch
	mu       sync.Mutex
	open     []ender
	closed   bool
	failed   sync.Map // errors, of commands whose program gave no first line that is understood
}

// starter starts a command, whose process ends with the run.
type starter func(c command, l limits, m *meter) (*process, error)

// ender is a program in any of its roles, as far as it can be ended.
type ender interface {
	// shut ends the program, when it has answered.
	shut()
}

// NewPrograms returns an empty Programs. A program may take up to the deadline for one reply.
// Waiting for replies ends when the context does.
func NewPrograms(ctx context.Context, deadline time.Duration) *Programs {
	p := &Programs{deadline: deadline}
	p.start = func(c command, l limits, m *meter) (*process, error) { return startProcess(ctx, c, l, m, p.watch) }
	return p
}

// watch gets a sentence on which program has not answered for a time, and to what. Without tell
// there is no message.
type watch struct {
	after time.Duration
	tell  func(what string)
}

// OnSilence calls tell, from any goroutine, if a program that is started later has not answered for
// Unanswered; what names the program and the request.
func (p *Programs) OnSilence(tell func(what string)) { p.watch = watch{unanswered, tell} }

// Close ends every program and its descendants, also a program that is just being started.
func (p *Programs) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, k := range p.open {
		k.shut()
	}
	p.open = nil
	p.closed = true
}

// keepOpen holds a program that has been started until Close. If the programs of the run have been
// ended meanwhile it ends this one too.
func (p *Programs) keepOpen(k ender) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		k.shut()
		return errors.New("the programs of this run have been ended")
	}
	p.open = append(p.open, k)
	return nil
}

// StartKernel starts a command whose program is a kernel on a space, and reads the program's first
// line, which states its mode. A program whose first line has failed is not started again for
// another space, of which that line knows nothing.
func (p *Programs) StartKernel(command string, space grid.Graph) (*Program, error) {
	if failed, _ := p.failed.Load(command); failed != nil {
		return nil, failed.(error)
	}
	words, err := splitCommand(command)
	if err != nil {
		return nil, err
	}
	k := &Program{start: p.start, command: words, shape: shapeOf(space), deadline: p.deadline}
	if err := k.startProgram(); err != nil {
		p.failed.Store(command, k.broken)
		return nil, err
	}
	if err := p.keepOpen(k); err != nil {
		return nil, err
	}
	return k, nil
}

// shapeOf returns the sides of a grid, and for any other space its number of states as the only
// side.
func shapeOf(space grid.Graph) []int {
	if l, is := space.(*grid.Lattice); is {
		return l.Sides()
	}
	return []int{space.States()}
}

// Program is a kernel in another program that speaks JSON Lines on its standard input and output;
// see PROTOCOL.md in this folder. In the mode "choose" it is a chains.Kernel whose choices are made
// here, so that it is enumerated exactly. In the mode "sample" it makes its own choices.
type Program struct {
	start    starter
	command  command
	shape    []int // the sides of the space, see shapeOf
	deadline time.Duration

	mu   sync.Mutex // held during a move, so that only one goroutine speaks with the program
	p    *process   // nil if the program has to be started
	name string
	mode string
	// reversible is what the program says of itself in its first line; nil if it says nothing.
	reversible *bool
	function   bool      // whether it is a Function, which gets no distribution
	answers    []string  // the requests that the Function of a model answers
	bounded    bool      // whether it bounds its own work
	logf       []float64 // what the program received last
	ahead      ahead     // the choices that it has told ahead
	id         int       // the number of the last request

	meter   meter
	account account // the cost of the state that the program was asked about last
	// broken is the error of a program that has done something wrong, and nil for any other. Such a
	// program is not asked again, since one that does not answer would cost the whole deadline for
	// every request.
	broken error
}

// hello is the first line that a program writes.
type hello struct {
	Kernel  string `json:"kernel"`
	Program string `json:"program"` // the name of a function
	Mode    string `json:"mode"`
	// Reversible says whether the kernel is its own time reversal; nil if the line has no such
	// field.
	Reversible *bool    `json:"reversible"`
	Answers    []string `json:"answers"` // the requests that the program of a model answers
	Bounded    bool     `json:"bounded"` // whether it bounds its own work, by counts
}

func (k *Program) startProgram() (err error) {
	l := limits{startReplies * k.deadline, k.deadline, maxLine}
	k.p, err = k.start(k.command, l, &k.meter)
	if err != nil {
		return err
	}
	k.logf = nil
	var h hello
	if err := k.ask(firstLine, nil, &h); err != nil {
		return err
	}
	k.bounded = h.Bounded
	k.p.deadline = k.patience()
	if k.function && (h.Program == "" || h.Mode != "choose") {
		return k.fail(errs.New(
			`its first line is not that of a program for breadboard law; write {"program": "a name", ` +
				`"mode": "choose"}`,
		))
	}
	if h.Mode != "choose" && h.Mode != "sample" {
		return k.fail(errs.New("its mode is %q; the modes are choose and sample", h.Mode))
	}
	if k.mode != "" && h.Mode != k.mode {
		return k.fail(fmt.Errorf("after a restart its mode is %q instead of %q", h.Mode, k.mode))
	}
	same := k.reversible == h.Reversible ||
		k.reversible != nil && h.Reversible != nil && *k.reversible == *h.Reversible
	if k.mode != "" && !same {
		return k.fail(errors.New("after a restart it declares its reversibility differently"))
	}
	k.name = cmp.Or(h.Kernel, h.Program)
	k.mode = h.Mode
	k.reversible = h.Reversible
	k.answers = h.Answers
	return nil
}

// ask sends a message and reads the answer. Where that goes wrong the program is ended for good.
func (k *Program) ask(what string, message, answer any) error {
	k.p.asked = what
	if err := k.p.ask(message, answer); err != nil {
		k.p = nil
		k.broken = err
		return err
	}
	if err := k.overspent(); err != nil {
		return k.fail(err)
	}
	return nil
}

// fail ends the program for good and returns the error with what the program wrote.
func (k *Program) fail(err error) error {
	k.broken = k.p.failure(err)
	k.p = nil
	return k.broken
}

// shut ends the program, when it has answered.
func (k *Program) shut() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.end()
}

func (k *Program) end() {
	if k.p != nil {
		k.p.close()
		k.p = nil
	}
}

// Samples reports whether the program makes its own choices, and so cannot be enumerated.
func (k *Program) Samples() bool { return k.mode == "sample" }

// Reversible returns whether the program says that it is reversible, and whether it says anything
// about it.
func (k *Program) Reversible() (reversible, said bool) {
	if k.reversible == nil {
		return false, false
	}
	return *k.reversible, true
}

// String returns the selector.
func (k *Program) String() string { return execPrefix + k.command.text }

// step is a line that a program writes while it moves. It has exactly one of the fields but the
// last.
type step struct {
	Choose  []*float64 `json:"choose"`
	Flip    *float64   `json:"flip"`
	Uniform *int       `json:"uniform"`
	State   *int       `json:"state"`   // where a move has ended
	Result  *string    `json:"result"`  // what a function returns
	Results []string   `json:"results"` // all that it may return, with the probabilities P
	Left    float64    `json:"left"`    // the probability of results that were not looked for
	P       []float64  `json:"p"`
	ID      int        `json:"id"` // the number of the request; it comes with what ends it
}

// outcome is our answer to a choice: an index, or for a flip 1 for true and 0 for false.
type outcome struct {
	Outcome int `json:"outcome"`
}

// Move makes the program move once, with its choices made by c. It panics with an error if the
// program breaks the protocol; code that enumerates or simulates the kernel recovers and reports
// the error with the state.
func (k *Program) Move(c chains.Chooser, logf []float64, x int) int {
	if t := k.toldAhead(logf, x); t != nil {
		return t.walkTree(c)
	}
	return *k.answerRequest(c, logf, fmt.Sprintf("state %d", x), map[string]any{"move": x},
		func(s *step) bool { return s.State != nil }).State
}

// answerRequest has the program answer a request about the place from with its choices made by c,
// and returns the line that ends the answer. It panics as Move does.
func (k *Program) answerRequest(c chains.Chooser, logf []float64, from string, request map[string]any,
	ends func(s *step) bool) *step {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.Samples() {
		panic(errors.New("the program has the mode sample, so its choices are not available"))
	}
	finished := false
	defer func() {
		if !finished {
			k.abort()
		}
	}()
	if k.function {
		begun := k.meter
		begun.restarts = 0 // a program that has to be started anew for every branch is none that is walked
		k.account = account{from, logf, begun}
	} else {
		k.account.openState(logf, from, k.meter)
	}
	if err := k.prepare(logf); err != nil {
		panic(err)
	}
	k.id++
	request["id"] = k.id
	var message any = request
	what := "for a move from " + from
	if k.function {
		what = "for " + from
	}
	for choices := 0; ; choices++ {
		var s step
		before := k.meter.said
		if err := k.ask(what, message, &s); err != nil {
			panic(err)
		}
		err := s.valid(k.id, choices, k.meter.said-before, ends(&s))
		if k.function && s.State != nil {
			err = errors.New(`it answers with a state instead of a result, as in {"result": "heads", "id": 3}`)
		}
		if err != nil {
			panic(k.fail(err))
		}
		if s.Results != nil {
			k.meter.whole++
		}
		if ends(&s) {
			finished = true
			return &s
		}
		k.meter.choices++
		message = outcome{s.makeChoice(c)}
	}
}

// valid fails if a line is not allowed within a move. The arguments are the number of the request,
// the number of choices that the move has made so far, the number of bytes of the line, and whether
// the line ends what was asked for.
func (s *step) valid(id, choices int, bytes int64, ends bool) error {
	said := 0
	for _, is := range []bool{
		s.Choose != nil, s.Flip != nil, s.Uniform != nil, s.State != nil, s.Result != nil, s.Results != nil} {
		if is {
			said++
		}
	}
	switch {
	case said != 1:
		return errors.New("a line must have one of choose, flip, uniform and state, or result for breadboard law")
	case (s.Result != nil || s.Results != nil) && !ends:
		return errors.New("it answers with a result instead of a state")
	case len(s.P) != len(s.Results):
		return fmt.Errorf("it answers with %d results and %d probabilities", len(s.Results), len(s.P))
	case ends && s.ID != id:
		return fmt.Errorf("it answers request %d with id %d", id, s.ID)
	case !ends && choices == chains.MaxChoices:
		return fmt.Errorf("more than %d choices without a result; bound its loops", chains.MaxChoices)
	case s.Uniform != nil:
		return list(*s.Uniform, bytes)
	}
	possible := 0
	for _, v := range s.Choose {
		if v == nil {
			return errors.New("a probability is null")
		}
		if *v != 0 {
			possible++
		}
	}
	return list(possible, bytes)
}

// makeChoice has c make the choice that a line asks for.
func (s *step) makeChoice(c chains.Chooser) int {
	switch {
	case s.Choose != nil:
		p := make([]float64, len(s.Choose))
		for i, v := range s.Choose {
			p[i] = *v
		}
		return c.Choose(p)
	case s.Uniform != nil:
		return c.Uniform(*s.Uniform)
	case c.Flip(*s.Flip):
		return 1
	}
	return 0
}

// abort has the program give up the move that it is in the middle of, because the enumeration does
// not need the rest of it. A program that cannot do that is ended, and started again for the next
// request.
func (k *Program) abort() {
	if k.p == nil {
		return // the program has gone wrong, and has been ended already
	}
	var answer struct {
		Aborted bool `json:"aborted"`
		ID      int  `json:"id"`
	}
	if err := k.p.ask(map[string]any{"abort": true, "id": k.id}, &answer); err != nil {
		k.p = nil
		k.meter.restarts++
	} else if !answer.Aborted || answer.ID != k.id {
		k.end()
		k.meter.restarts++
	}
}

// prepare starts the program if it is not running, and sends it the distribution where it differs
// from the last one.
func (k *Program) prepare(logf []float64) error {
	if k.broken != nil {
		return k.broken
	}
	if k.p == nil {
		if err := k.startProgram(); err != nil {
			return err
		}
	}
	if k.function || k.logf != nil && slices.Equal(k.logf, logf) {
		return nil
	}
	trees, err := k.sendReady("to take a distribution",
		map[string]any{"logf": encode(logf), "shape": k.shape, "trees": true})
	if err != nil {
		return err
	}
	k.logf = slices.Clone(logf)
	k.ahead.able = trees
	return nil
}

// sendReady sends what the program is to answer that it is ready, and returns whether it says that
// it can tell its choices ahead.
func (k *Program) sendReady(what string, message map[string]any) (trees bool, err error) {
	var ready struct {
		Ready bool `json:"ready"`
		Trees bool `json:"trees"`
		ID    int  `json:"id"`
	}
	k.id++
	message["id"] = k.id
	if err := k.ask(what, message, &ready); err != nil {
		return false, err
	}
	if !ready.Ready || ready.ID != k.id {
		return false, k.fail(fmt.Errorf(`it did not answer a distribution with {"ready":true,"id":%d}`, k.id))
	}
	return ready.Trees, nil
}

// encode writes log f with null for a zero of f, which JSON has no number for.
func encode(logf []float64) []*float64 {
	out := make([]*float64, len(logf))
	for x := range logf {
		if !math.IsInf(logf[x], -1) {
			out[x] = &logf[x]
		}
	}
	return out
}

// Sample makes a program of the mode "sample" move from state x, a number of times, and returns how
// many moves ended at each state.
func (k *Program) Sample(logf []float64, x, moves int, rng *rand.Rand) ([]int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.prepare(logf); err != nil {
		return nil, err
	}
	var answer struct {
		Counts map[string]int `json:"counts"`
		ID     int            `json:"id"`
	}
	from := fmt.Sprintf("state %d", x)
	k.id++
	k.meter.moves += int64(moves)
	request := map[string]any{"sample": x, "moves": moves, "seed": rng.Uint32(), "id": k.id}
	if err := k.ask(fmt.Sprintf("for %d moves from %s", moves, from), request, &answer); err != nil {
		return nil, err
	}
	if answer.ID != k.id {
		return nil, k.fail(fmt.Errorf("it answers request %d with id %d", k.id, answer.ID))
	}
	wrong := func(format string, values ...any) ([]int, error) {
		return nil, k.fail(work.AtStates(fmt.Errorf("from %s %s", from, fmt.Sprintf(format, values...)), x))
	}
	counts := make([]int, len(logf))
	total := 0
	for state, n := range answer.Counts {
		y, err := strconv.Atoi(state)
		switch {
		case err != nil || strconv.Itoa(y) != state:
			return wrong("it counts moves to %s, which is not a state", quote([]byte(state)))
		case y < 0 || y >= len(logf):
			return wrong("it went to state %d, outside 0..%d", y, len(logf)-1)
		case n < 0 || n > moves:
			return wrong("it counts %d of %d moves at state %d", n, moves, y)
		}
		counts[y] = n
		total += n
	}
	if total != moves {
		return wrong("its counts sum to %d instead of %d moves", total, moves)
	}
	return counts, nil
}
