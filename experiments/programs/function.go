package programs

import (
	"fmt"
	"maps"
	"strings"
	"unicode"

	"breadboard/chains"
	"breadboard/chains/errs"
)

// maxResult is the largest number of bytes of a result. A distribution holds each of them.
const maxResult = 1000

// Function is a program that asks for its random choices and returns a line of text: its
// distribution can be found by exploring the choices. It uses the protocol of a kernel of the mode
// "choose"; see PROTOCOL.md.
type Function struct {
	p    *Program
	runs int
	cut  bool
}

// StartFunction starts a command whose program is a function, and reads its first line.
func (p *Programs) StartFunction(command string) (*Function, error) {
	words, err := splitCommand(command)
	if err != nil {
		return nil, err
	}
	k := &Program{start: p.start, command: words, deadline: p.deadline, function: true}
	if err := k.startProgram(); err != nil {
		return nil, err
	}
	if err := p.keepOpen(k); err != nil {
		return nil, err
	}
	return &Function{p: k}, nil
}

// String returns the selector.
func (f *Function) String() string { return f.p.String() }

// Name returns the name that the program gives itself.
func (f *Function) Name() string { return f.p.name }

// Answers returns the requests that the program of a model answers; none for any other program.
func (f *Function) Answers() []string { return f.p.answers }

// Run runs the program once with its choices made by c, and returns its result. It panics with an
// error like Program.Move. Only one goroutine may use it.
func (f *Function) Run(c chains.Chooser) string {
	f.runs++
	return f.Asks(fmt.Sprintf("run %d", f.runs), map[string]any{"run": true})(c)
}

// Asks returns the answer to a request as a function of the choices, like Run. What names the
// request in errors. A program that answers with the whole distribution is asked only once.
func (f *Function) Asks(what string, request map[string]any) func(chains.Chooser) string {
	var whole *step
	return func(c chains.Chooser) string {
		if whole == nil {
			s := f.p.answerRequest(c, nil, what, maps.Clone(request),
				func(s *step) bool { return s.Result != nil || s.Results != nil })
			if s.Result != nil {
				return f.checked(*s.Result)
			}
			for _, result := range s.Results {
				f.checked(result)
			}
			f.cut = f.cut || s.Left > 0
			whole = s
		}
		return whole.Results[c.Choose(whole.P)]
	}
}

// Cut reports whether an answer of the program has left out results of small probability.
func (f *Function) Cut() bool { return f.cut }

// checked returns a result. It panics if it is no line of text.
func (f *Function) checked(result string) string {
	var err error
	switch {
	case len(result) > maxResult:
		err = errs.New("its result %s has %d bytes, and the limit is %d; return less, such as a hash",
			quote([]byte(result)), len(result), maxResult)
	case strings.ContainsFunc(result, unicode.IsControl):
		err = fmt.Errorf("its result %s is not a line of text: write no line breaks nor other control characters",
			quote([]byte(result)))
	}
	if err != nil {
		f.p.mu.Lock()
		defer f.p.mu.Unlock()
		panic(f.p.fail(err))
	}
	return result
}
