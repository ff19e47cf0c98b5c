package samplers

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"

	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/toys"
)

// Canonical returns the text of a function without blanks around its operators. Names of axes and
// of values may contain blanks.
func Canonical(text string) string {
	return regexp.MustCompile(`\s*([-+*/^%<>=!&|(),]|$|^)\s*`).ReplaceAllString(text, "$1")
}

// maxExpression is the largest number of characters of an expression.
const maxExpression = 500

// expression is an expression over the functions of a toy that have names.
type expression struct {
	toy    *toys.Toy
	names  map[string]string // what words stand for in the text, since names of axes need not be words
	values map[string][]float64
}

// ofState is the value of a part of an expression at a state.
type ofState func(x int) float64

// parseExpression returns the values of an expression such as alpha*log(beta) or alpha+beta>0.5,
// one for each state. A comparison is one or zero.
func parseExpression(text string, toy *toys.Toy) ([]float64, error) {
	if len(text) > maxExpression {
		return nil, fmt.Errorf("it has %d characters; write at most %d", len(text), maxExpression)
	}
	if strings.Contains(text, "//") || strings.Contains(text, "/*") {
		return nil, errors.New("// and /* begin comments, and an expression has none; divide by /")
	}
	e := &expression{toy: toy, names: map[string]string{}, values: map[string][]float64{}}
	tree, err := parser.Parse(e.mask(text))
	if err != nil {
		var wrong *file.Error
		if errors.As(err, &wrong) {
			err = errors.New(wrong.Message)
		}
		return nil, fmt.Errorf(
			"it is neither the name of a function nor an expression: %w; an expression with a comma is "+
				"quoted twice, as in '\"min(x0,x1)\"'",
			err)
	}
	at, err := e.compilePart(tree.Node)
	if err != nil {
		return nil, err
	}
	values := valuesOf(toy, at)
	for x, v := range values {
		if math.IsNaN(v) {
			return nil, fmt.Errorf(
				"it has no value at state %s, as a division by zero or the logarithm of a negative number",
				toy.State(x))
		}
	}
	return values, nil
}

// mask replaces the names of axes by words. A name that an opening parenthesis follows is a
// function of the language.
func (e *expression) mask(text string) string {
	word := regexp.MustCompile(`^\w`)
	var b strings.Builder
	root := "_"
	for strings.Contains(text, root) {
		root += "_"
	}
	for i := 0; i < len(text); {
		longest := ""
		if i == 0 || !word.MatchString(text[i-1:]) {
			for _, name := range AxisFunctions(e.toy) {
				rest, begins := strings.CutPrefix(text[i:], name)
				whole := begins && !strings.HasPrefix(rest, "(") &&
					!(word.MatchString(rest) && word.MatchString(name[len(name)-1:]))
				if _, err := selector.ParseNumber(name); whole && err != nil && len(name) > len(longest) {
					longest = name
				}
			}
		}
		if longest == "" {
			b.WriteByte(text[i])
			i++
			continue
		}
		mask := fmt.Sprint(root, i)
		b.WriteString(mask)
		e.names[mask], i = longest, i+len(longest)
	}
	return b.String()
}

// compilePart compiles a part of an expression.
func (e *expression) compilePart(node ast.Node) (ofState, error) {
	switch n := node.(type) {
	case *ast.IntegerNode:
		return func(int) float64 { return float64(n.Value) }, nil
	case *ast.FloatNode:
		return func(int) float64 { return n.Value }, nil
	case *ast.IdentifierNode:
		return e.compileName(n.Value)
	case *ast.UnaryNode:
		if n.Operator == "-" || n.Operator == "+" {
			return e.compileOperation(n.Operator, &ast.IntegerNode{}, n.Node)
		}
	case *ast.BinaryNode:
		if sign, is := comparisons()[n.Operator]; is {
			return e.compileComparison(sign, n)
		}
		return e.compileOperation(n.Operator, n.Left, n.Right)
	case *ast.CallNode:
		if called, is := n.Callee.(*ast.IdentifierNode); is {
			return e.compileOperation(called.Value, n.Arguments...)
		}
	case *ast.BuiltinNode:
		return e.compileOperation(n.Name, n.Arguments...)
	}
	return nil, fmt.Errorf("an expression has names, numbers, comparisons, and %s", operations)
}

// compileName returns the values of a function that is named.
func (e *expression) compileName(name string) (ofState, error) {
	if masked, is := e.names[name]; is {
		name = masked
	}
	if e.values[name] == nil {
		values, err := parseNamed(name, e.toy)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		e.values[name] = values
	}
	values := e.values[name]
	return func(x int) float64 { return values[x] }, nil
}

// operations lists what is applied to numbers.
const operations = "+ - * / ^ && || log exp sqrt abs min max"

// compileOperation compiles an operation on parts of an expression.
func (e *expression) compileOperation(operation string, nodes ...ast.Node) (ofState, error) {
	var parts []ofState
	for _, node := range nodes {
		part, err := e.compilePart(node)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	one := map[string]func(a float64) float64{
		"log": number.Log, "exp": math.Exp, "sqrt": math.Sqrt, "abs": math.Abs}[operation]
	two := map[string]func(a, b float64) float64{
		"+": func(a, b float64) float64 { return a + b }, "-": func(a, b float64) float64 { return a - b },
		"*": func(a, b float64) float64 { return a * b }, "/": divide, "^": math.Pow, "**": math.Pow,
		// of comparisons, which are one or zero
		"min": math.Min, "&&": math.Min, "max": math.Max, "||": math.Max,
	}[operation]
	switch {
	case one != nil && len(parts) == 1:
		return func(x int) float64 { return one(parts[0](x)) }, nil
	case two != nil && len(parts) > 1:
		return func(x int) float64 {
			v := parts[0](x)
			for _, part := range parts[1:] {
				v = two(v, part(x))
			}
			return v
		}, nil
	}
	return nil, fmt.Errorf(
		"%s of %s is none of the operations, %s", operation, selector.Count(len(parts), "number"), operations)
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
func (e *expression) compileComparison(holds [3]bool, n *ast.BinaryNode) (ofState, error) {
	left, err := e.compilePart(n.Left)
	if err != nil {
		return nil, err
	}
	right, err := e.compilePart(n.Right)
	if err != nil {
		return nil, err
	}
	levels := number.LevelsOf(likely(valuesOf(e.toy, left), e.toy.G))
	return func(x int) float64 {
		a, b := left(x), right(x)
		switch {
		case math.IsNaN(a) || math.IsNaN(b):
			return math.NaN()
		case !levels.AtMost(a, b):
			return asNumber(holds[2])
		case !levels.AtMost(b, a):
			return asNumber(holds[0])
		}
		return asNumber(holds[1])
	}, nil
}
