package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// kind is what a change does.
type kind string

const (
	constant   kind = "constant"   // a number is doubled or halved
	comparison kind = "comparison" // < becomes <=, and so on
	arithmetic kind = "arithmetic" // + becomes -, * becomes /, and back
	extreme    kind = "extreme"    // min becomes max, and back
	condition  kind = "condition"  // the condition of an if is negated
	note       kind = "note"       // a note on a result is not made
	failure    kind = "failure"    // an error is not returned
)

func kindNames() []string {
	var names []string
	for _, k := range []kind{constant, comparison, arithmetic, extreme, condition, note, failure} {
		names = append(names, string(k))
	}
	return names
}

// parseKinds reads names separated by commas; nothing is all of them.
func parseKinds(list string) (map[kind]bool, error) {
	chosen := map[kind]bool{}
	names := kindNames()
	if list != "" {
		names = strings.Split(list, ",")
	}
	for _, name := range names {
		if !slices.Contains(kindNames(), name) {
			return nil, fmt.Errorf("no kind of change is called %q; there are %s",
				name, strings.Join(kindNames(), ", "))
		}
		chosen[kind(name)] = true
	}
	return chosen, nil
}

// mutant is one change of one file: bytes from..to become text.
type mutant struct {
	file     string // absolute
	line     int
	kind     kind
	from, to int
	old, new string
	source   []byte // the whole file as it was
	rank     uint64 // mutants are tested in this order
}

// String says where the change is and what it is.
func (m *mutant) String() string {
	file := m.file
	if dir, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(dir, file); err == nil {
			file = short
		}
	}
	return fmt.Sprintf("%s:%d: %s: %s -> %s | %s", file, m.line, m.kind, brief(m.old), brief(m.new),
		strings.TrimSpace(m.text()))
}

// key is what String says but for the folder and the line, which change as code moves.
func (m *mutant) key() string {
	text := fmt.Sprintf("%s: %s: %s -> %s | %s", filepath.Base(m.file), m.kind, brief(m.old), brief(m.new), m.text())
	return strings.Join(strings.Fields(text), " ")
}

// survivorsAmong returns the mutants that stand for printed survivors: of those with the same key,
// the one whose line is nearest to that of the survivor.
func survivorsAmong(mutants []*mutant, printed map[string][]int) (chosen []*mutant) {
	taken := map[*mutant]bool{}
	for key, lines := range printed {
		for _, line := range lines {
			var nearest *mutant
			for _, m := range mutants {
				if m.key() == key && !taken[m] &&
					(nearest == nil || abs(m.line-line) < abs(nearest.line-line)) {
					nearest = m
				}
			}
			if nearest != nil {
				taken[nearest] = true
			}
		}
	}
	for _, m := range mutants {
		if taken[m] {
			chosen = append(chosen, m)
		}
	}
	return chosen
}

func abs(n int) int { return max(n, -n) }

// readSurvivors returns the lines of the mutants that are printed as survivors in the output of a
// run, by their keys.
func readSurvivors(file string) (map[string][]int, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	keys := map[string][]int{}
	for line := range strings.Lines(string(data)) {
		// SURVIVED, how long it took, and what String says, with its place first.
		fields := strings.SplitN(strings.Join(strings.Fields(line), " "), " ", 4)
		if len(fields) == 4 && fields[0] == string(survived) {
			place, number, _ := strings.Cut(strings.TrimSuffix(filepath.Base(fields[2]), ":"), ":")
			line, err := strconv.Atoi(number)
			if err != nil {
				return nil, fmt.Errorf("%s: %q has no line: %w", file, fields[2], err)
			}
			keys[place+": "+fields[3]] = append(keys[place+": "+fields[3]], line)
		}
	}
	return keys, nil
}

// brief cuts code to what fits on a line.
func brief(code string) string {
	code = strings.Join(strings.Fields(code), " ")
	if len(code) > 60 {
		code = code[:57] + "..."
	}
	return code
}

// text is the line of the file in which the change begins.
func (m *mutant) text() string {
	lines := strings.Split(string(m.source), "\n")
	return lines[m.line-1]
}

// changed is the file with the change made.
func (m *mutant) changed() []byte {
	out := append([]byte(nil), m.source[:m.from]...)
	out = append(out, m.new...)
	return append(out, m.source[m.to:]...)
}

// drawMutants returns all the mutants of a package that were asked for, in the order of the draw.
func drawMutants(o *options, p pkg) ([]*mutant, error) {
	var all []*mutant
	for _, name := range p.GoFiles {
		file := filepath.Join(p.Dir, name)
		if !o.files.MatchString(file) {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		list, err := changesOf(file, source)
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			if o.kinds[m.kind] {
				all = append(all, m)
			}
		}
	}
	if o.again != nil {
		all = survivorsAmong(all, o.again)
	}
	setRanks(all, o.seed)
	slices.SortStableFunc(all, func(a, b *mutant) int {
		switch {
		case a.rank < b.rank:
			return -1
		case a.rank > b.rank:
			return 1
		}
		return 0
	})
	return all, nil
}

// setRanks draws a rank for every mutant from the seed, the name of its file, the text of its line
// and its change, and if these are the same, from how many there were before. Other lines of the
// file have no part in it.
func setRanks(mutants []*mutant, seed uint64) {
	before := map[string]int{}
	for _, m := range mutants {
		key := fmt.Sprintf("%d %s %s %s %s", seed, filepath.Base(m.file), strings.TrimSpace(m.text()), m.old, m.new)
		h := fnv.New64a()
		fmt.Fprintf(h, "%s %d", key, before[key])
		before[key]++
		m.rank = scatter(h.Sum64())
	}
}

// scatter spreads hashes of similar texts over all numbers (the finaliser of MurmurHash3).
func scatter(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// changesOf returns every small change of a file, in the order of the text.
func changesOf(file string, source []byte) ([]*mutant, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &finder{file: file, source: source, set: set}
	ast.Inspect(tree, f.visit)
	slices.SortStableFunc(f.found, func(a, b *mutant) int { return a.from - b.from })
	return f.found, nil
}

// finder collects the changes of one file.
type finder struct {
	file   string
	source []byte
	set    *token.FileSet
	found  []*mutant
}

func (f *finder) add(k kind, from, to token.Pos, text string) {
	a, b := f.set.Position(from), f.set.Position(to)
	f.found = append(f.found, &mutant{
		file: f.file, line: a.Line, kind: k, from: a.Offset, to: b.Offset,
		old: string(f.source[a.Offset:b.Offset]), new: text, source: f.source,
	})
}

func (f *finder) code(n ast.Node) string {
	return string(f.source[f.set.Position(n.Pos()).Offset:f.set.Position(n.End()).Offset])
}

// turned are the operators that are exchanged.
func turned(op token.Token) (kind, token.Token) {
	switch op {
	case token.LSS:
		return comparison, token.LEQ
	case token.LEQ:
		return comparison, token.LSS
	case token.GTR:
		return comparison, token.GEQ
	case token.GEQ:
		return comparison, token.GTR
	case token.ADD:
		return arithmetic, token.SUB
	case token.SUB:
		return arithmetic, token.ADD
	case token.MUL:
		return arithmetic, token.QUO
	case token.QUO:
		return arithmetic, token.MUL
	case token.ADD_ASSIGN:
		return arithmetic, token.SUB_ASSIGN
	case token.SUB_ASSIGN:
		return arithmetic, token.ADD_ASSIGN
	case token.MUL_ASSIGN:
		return arithmetic, token.QUO_ASSIGN
	case token.QUO_ASSIGN:
		return arithmetic, token.MUL_ASSIGN
	}
	return "", op
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.BasicLit:
		f.number(n)
	case *ast.BinaryExpr:
		f.operator(n.OpPos, n.Op)
	case *ast.AssignStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.CallExpr:
		f.call(n)
	case *ast.IfStmt:
		f.branch(n)
	case *ast.ExprStmt:
		if c, ok := n.X.(*ast.CallExpr); ok && isNote(c) {
			f.add(note, n.Pos(), n.End(), "")
		}
	}
	return true
}

// number doubles and halves a literal. A whole number is halved as one, so that 1 becomes 0.
func (f *finder) number(n *ast.BasicLit) {
	if n.Kind != token.INT && n.Kind != token.FLOAT || strings.Trim(n.Value, "0.x") == "" {
		return
	}
	f.add(constant, n.Pos(), n.End(), "(2*"+n.Value+")")
	f.add(constant, n.Pos(), n.End(), "("+n.Value+"/2)")
}

func (f *finder) operator(at token.Pos, op token.Token) {
	if k, other := turned(op); k != "" {
		f.add(k, at, at+token.Pos(len(op.String())), other.String())
	}
}

// call exchanges the least and the greatest.
func (f *finder) call(n *ast.CallExpr) {
	name := n.Fun
	if s, ok := name.(*ast.SelectorExpr); ok {
		name = s.Sel
	}
	id, ok := name.(*ast.Ident)
	if !ok {
		return
	}
	other := map[string]string{"min": "max", "max": "min", "Min": "Max", "Max": "Min"}[id.Name]
	if other != "" && len(n.Args) > 0 {
		f.add(extreme, id.Pos(), id.End(), other)
	}
}

// branch negates a condition, and drops an error that is all that a branch returns.
func (f *finder) branch(n *ast.IfStmt) {
	f.add(condition, n.Cond.Pos(), n.Cond.End(), "!("+f.code(n.Cond)+")")
	if len(n.Body.List) != 1 || n.Else != nil {
		return
	}
	r, ok := n.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) == 0 {
		return
	}
	if last := f.code(r.Results[len(r.Results)-1]); last == "err" || strings.Contains(last, "Errorf(") ||
		strings.Contains(last, "errors.New(") ||
		strings.Contains(last, "Fault(") || strings.Contains(last, ".Err()") {
		f.add(failure, r.Pos(), r.End(), "")
	}
}

// isNote reports whether a call makes a note on a result.
func isNote(c *ast.CallExpr) bool {
	switch fun := c.Fun.(type) {
	case *ast.Ident:
		return strings.HasPrefix(fun.Name, "note") || strings.HasPrefix(fun.Name, "warn")
	case *ast.SelectorExpr:
		return strings.HasPrefix(fun.Sel.Name, "note") || strings.HasPrefix(fun.Sel.Name, "warn")
	}
	return false
}
