package sweep

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// linesOf returns the line of every key of a well-formed TOML document and of every element of its arrays, by
// their paths: "grid.toy.0" is the first toy of the grid, "case.1.T" the T of the second case. The library's
// decoder knows them for its own errors only.
func linesOf(text []byte) map[string]int {
	w := lineWalker{lines: map[string]int{}, line: 1}
	w.parser.Reset(text)
	counts := map[string]int{}
	prefix := ""
	for w.parser.NextExpression() {
		node := w.parser.Expression()
		switch node.Kind {
		case unstable.Table:
			prefix = w.key(node, "")
		case unstable.ArrayTable:
			prefix = w.key(node, "")
			counts[prefix]++
			line := w.lines[prefix]
			prefix = fmt.Sprintf("%s.%d", prefix, counts[prefix]-1)
			w.lines[prefix] = line
		case unstable.KeyValue:
			w.value(node.Value(), w.key(node, prefix))
		}
	}
	return w.lines
}

// lineWalker counts lines as it goes through a document from start to end.
type lineWalker struct {
	parser unstable.Parser
	lines  map[string]int
	offset uint32
	line   int
}

// at notes the line of a path that begins at an offset.
func (w *lineWalker) at(path string, offset uint32) {
	if offset >= w.offset {
		w.line += bytes.Count(w.parser.Data()[w.offset:offset], []byte("\n"))
		w.offset = offset
	}
	w.lines[path] = w.line
}

// key notes the line of a node's key and returns its path.
func (w *lineWalker) key(node *unstable.Node, prefix string) string {
	var parts []string
	if prefix != "" {
		parts = append(parts, prefix)
	}
	first, begun := uint32(0), false
	for keys := node.Key(); keys.Next(); {
		if parts = append(parts, string(keys.Node().Data)); !begun {
			first, begun = keys.Node().Raw.Offset, true
		}
	}
	path := strings.Join(parts, ".")
	w.at(path, first)
	return path
}

// value notes the lines of what an array or an inline table holds.
func (w *lineWalker) value(node *unstable.Node, path string) {
	i := 0
	for children := node.Children(); children.Next(); {
		child := children.Node()
		switch {
		case child.Kind == unstable.KeyValue:
			w.value(child.Value(), w.key(child, path))
		case child.Kind == unstable.Comment:
		default:
			element := fmt.Sprintf("%s.%d", path, i)
			i++
			if child.Raw.Length > 0 {
				w.at(element, child.Raw.Offset)
			} else {
				w.lines[element] = w.line
			}
			w.value(child, element)
		}
	}
}
