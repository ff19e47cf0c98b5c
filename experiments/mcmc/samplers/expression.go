package samplers

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/toys"
)

// canonical returns the text of a function without blanks around its operators. Names of axes and
// of values may contain blanks.
func canonical(text string) string {
	if strings.HasPrefix(text, "file:") {
		return text
	}
	return regexp.MustCompile(`\s*([-+*/^%<>=!&|(),]|$|^)\s*`).ReplaceAllString(text, "$1")
}

// maxExpression is the largest number of characters of an expression.
const maxExpression = 500

// ofState is the value of a part of an expression at a state.
type ofState func(x int) float64

// expression reads an expression over the functions of a toy that have names, by recursive descent.
// From the loosest to the tightest, its parts are joined by
//
//	||   &&   < <= == != >= >   + -   * /   a sign   ^ or **, from the right
//
// and a<b<c is a<b && b<c. Each part compiles to a function of the state.
type expression struct {
	toy    *toys.Toy
	rest   string // what is not read yet
	err    error  // the first one
	values map[string][]float64
}

// parseExpression returns the values of an expression such as alpha*log(beta) or alpha+beta>0.5,
// one for each state. A comparison is one or zero.
func parseExpression(text string, toy *toys.Toy) ([]float64, error) {
	if len(text) > maxExpression {
		return nil, errs.New("it has %d characters; write at most %d", len(text), maxExpression)
	}
	e := &expression{toy: toy, rest: text, values: map[string][]float64{}}
	at := e.readAny()
	if e.rest != "" {
		e.refuseRest()
	}
	if e.err != nil {
		return nil, e.err
	}
	values := valuesOf(toy, at)
	for x, v := range values {
		if math.IsNaN(v) {
			return nil, fmt.Errorf(
				"it has no value at state %s, as a division by zero or the logarithm of a negative number",
				toy.State(x),
			)
		}
	}
	return values, nil
}

// refuse ends the expression with an error, unless it has one already.
func (e *expression) refuse(err error) ofState {
	if e.err == nil {
		e.err = err
	}
	e.rest = ""
	return func(int) float64 { return math.NaN() }
}

// refuseRest refuses what follows.
func (e *expression) refuseRest() ofState {
	what := "it ends too early"
	if e.rest != "" {
		what = fmt.Sprintf("unexpected %q", e.rest)
	}
	return e.refuse(errs.New("it is neither the name of a function nor an expression: %s; an expression "+
		"has names, numbers, comparisons, and %s; one with a comma is quoted twice, as in '\"min(x0,x1)\"'",
		what, operations))
}

// takeSign returns the first of some signs that follows, and reads it; empty if none does.
func (e *expression) takeSign(signs ...string) string {
	for _, sign := range signs {
		if rest, is := strings.CutPrefix(e.rest, sign); is {
			e.rest = strings.TrimLeft(rest, " ")
			return sign
		}
	}
	return ""
}

// readJoined reads parts that signs join from the left.
func (e *expression) readJoined(part func() ofState, signs ...string) ofState {
	left := part()
	for sign := e.takeSign(signs...); sign != ""; sign = e.takeSign(signs...) {
		left = e.compileOperation(sign, left, part())
	}
	return left
}

func (e *expression) readAny() ofState     { return e.readJoined(e.readAll, "||") }
func (e *expression) readAll() ofState     { return e.readJoined(e.readCompared, "&&") }
func (e *expression) readSum() ofState     { return e.readJoined(e.readProduct, "+", "-") }
func (e *expression) readProduct() ofState { return e.readJoined(e.readSigned, "*", "/") }

// readCompared reads numbers of which each is compared with the next.
func (e *expression) readCompared() ofState {
	left := e.readSum()
	var all ofState
	for {
		sign := e.takeSign("<=", ">=", "==", "!=", "<", ">")
		switch {
		case sign == "" && all == nil:
			return left
		case sign == "":
			return all
		}
		right := e.readSum()
		holds := e.compileComparison(sign, left, right)
		if all != nil {
			holds = e.compileOperation("&&", all, holds)
		}
		all = holds
		left = right
	}
}

// readSigned reads a power, perhaps with signs in front.
func (e *expression) readSigned() ofState {
	if sign := e.takeSign("+", "-"); sign != "" {
		return e.compileOperation(sign, func(int) float64 { return 0 }, e.readSigned())
	}
	base := e.readPart()
	if e.takeSign("^", "**") != "" {
		return e.compileOperation("^", base, e.readSigned())
	}
	return base
}

// readPart reads a part without a sign outside of brackets.
func (e *expression) readPart() ofState {
	if e.takeSign("(") != "" {
		inner := e.readAny()
		if e.takeSign(")") == "" {
			return e.refuseRest()
		}
		return inner
	}
	if name := e.takeAxis(); name != "" {
		return e.compileName(name)
	}
	if text := e.takeWord(`^(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?`); text != "" {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return e.refuse(err)
		}
		return func(int) float64 { return v }
	}
	word := e.takeWord(`^[\pL_][\pL\pN_]*`)
	switch {
	case word == "":
		return e.refuseRest()
	case e.takeSign("(") == "":
		return e.compileName(word)
	}
	parts := []ofState{e.readAny()}
	for e.takeSign(",") != "" {
		parts = append(parts, e.readAny())
	}
	if e.takeSign(")") == "" {
		return e.refuseRest()
	}
	return e.compileOperation(word, parts...)
}

// takeWord reads what has a pattern.
func (e *expression) takeWord(pattern string) string {
	return e.takeSign(regexp.MustCompile(pattern).FindString(e.rest))
}

// takeAxis reads the longest name of an axis that follows, which need not be a word. A name that an
// opening parenthesis follows is an operation.
func (e *expression) takeAxis() string {
	word := regexp.MustCompile(`^\w`)
	longest := ""
	for _, name := range AxisFunctions(e.toy) {
		rest, begins := strings.CutPrefix(e.rest, name)
		whole := begins && !strings.HasPrefix(rest, "(") &&
			!(word.MatchString(rest) && word.MatchString(name[len(name)-1:]))
		if _, err := selector.ParseNumber(name); whole && err != nil && len(name) > len(longest) {
			longest = name
		}
	}
	return e.takeSign(longest)
}

// compileName returns the values of a function that is named.
func (e *expression) compileName(name string) ofState {
	if e.values[name] == nil {
		values, err := parseNamed(name, e.toy)
		if err != nil {
			return e.refuse(fmt.Errorf("%s: %w", name, err))
		}
		e.values[name] = values
	}
	values := e.values[name]
	return func(x int) float64 { return values[x] }
}

// operations lists what is applied to numbers.
const operations = "+ - * / ^ && || log exp sqrt abs min max"

// compileOperation compiles an operation on parts of an expression.
func (e *expression) compileOperation(operation string, parts ...ofState) ofState {
	one := map[string]func(a float64) float64{
		"log": number.Log, "exp": math.Exp, "sqrt": math.Sqrt, "abs": math.Abs}[operation]
	two := map[string]func(a, b float64) float64{
		"+": func(a, b float64) float64 { return a + b }, "-": func(a, b float64) float64 { return a - b },
		"*": func(a, b float64) float64 { return a * b }, "/": divide, "^": math.Pow,
		// of comparisons, which are one or zero
		"min": math.Min, "&&": math.Min, "max": math.Max, "||": math.Max,
	}[operation]
	switch {
	case one != nil && len(parts) == 1:
		return func(x int) float64 { return one(parts[0](x)) }
	case two != nil && len(parts) > 1:
		return func(x int) float64 {
			v := parts[0](x)
			for _, part := range parts[1:] {
				v = two(v, part(x))
			}
			return v
		}
	}
	return e.refuse(fmt.Errorf("%s of %s is none of the operations, %s", operation,
		selector.Count(len(parts), "number"), operations))
}

// divide divides by a number that is not zero.
func divide(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

// comparisons are the signs of left - right that satisfy each comparison: below, equal, above.
func comparisons() map[string][3]bool {
	return map[string][3]bool{
		"<": {true, false, false}, "<=": {true, true, false}, "==": {false, true, false},
		"!=": {true, false, true}, ">=": {false, true, true}, ">": {false, false, true},
	}
}

// compileComparison compiles a comparison. Numbers that differ by roundings alone are equal.
func (e *expression) compileComparison(sign string, left, right ofState) ofState {
	if e.err != nil {
		return left
	}
	holds := comparisons()[sign]
	levels := number.LevelsOf(likely(valuesOf(e.toy, left), e.toy.G))
	return func(x int) float64 {
		a := left(x)
		b := right(x)
		switch {
		case math.IsNaN(a) || math.IsNaN(b):
			return math.NaN()
		case !levels.AtMost(a, b):
			return asNumber(holds[2])
		case !levels.AtMost(b, a):
			return asNumber(holds[0])
		}
		return asNumber(holds[1])
	}
}
