package networks

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
)

// Written is the ending of the files that Network.BIF writes.
const Written = ".bif"

// BIF returns the network, without evidence, for a file of a path, in BIF, with all digits. It
// fails if its output would not be read as the same network, such as a name with a quote.
func (n *Network) BIF(path string) ([]byte, error) {
	if strings.ToLower(filepath.Ext(path)) != Written {
		return nil, fmt.Errorf("%q does not end in %s, which is the format that is written", cut(path), Written)
	}
	if !n.Bayes {
		return nil, errs.New(
			"BIF has Bayesian networks alone, in which each table is of a child given its parents; this one is none",
		)
	}
	data := writeBIF(n)
	again, err := ParseBIF(data, ChildSlowest)
	if err == nil &&
		!(reflect.DeepEqual(again.Variables, n.Variables) && reflect.DeepEqual(again.Factors, n.Factors)) {
		err = errors.New("it reads as another network")
	}
	if err != nil {
		return nil, errs.New("the network cannot be written in BIF%s: %w; change the name", n.oddName(), err)
	}
	return data, nil
}

// oddName says which of the names may be one that a format cannot hold.
func (n *Network) oddName() string {
	for _, v := range n.Variables {
		for _, name := range append([]string{v.Name}, v.Labels...) {
			if strings.Contains(name, `"`) || hidden(name) || strings.TrimSpace(name) != name {
				return fmt.Sprintf(" with the name %q", cut(name))
			}
		}
	}
	return ""
}

func writeBIF(n *Network) []byte {
	var b bytes.Buffer
	b.WriteString("network unknown {\n}\n")
	for _, v := range n.Variables {
		fmt.Fprintf(&b, "variable %s {\n  type discrete [ %d ] { %s };\n}\n", wordOf(v.Name), len(v.Labels),
			wordsOf(v.Labels))
	}
	for v, f := range n.Factors {
		parents := n.Parents(v)
		k := len(n.Variables[v].Labels)
		if len(parents) == 0 {
			fmt.Fprintf(&b, "probability ( %s ) {\n  table %s;\n}\n", wordOf(n.Variables[v].Name),
				numbersOf(f.Values, ", "))
			continue
		}
		fmt.Fprintf(&b, "probability ( %s | %s ) {\n", wordOf(n.Variables[v].Name),
			wordsOf(namesOf(n.Variables, parents)))
		for c := range len(f.Values) / k {
			fmt.Fprintf(&b, "  (%s) %s;\n", wordsOf(n.labelsOf(parents, c)), numbersOf(f.Values[c*k:(c+1)*k], ", "))
		}
		b.WriteString("}\n")
	}
	return b.Bytes()
}

// numbersOf writes numbers with as many digits as it takes to read the same again.
func numbersOf(values []float64, between string) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = strconv.FormatFloat(v+0, 'g', -1, 64)
	}
	return strings.Join(texts, between)
}

// wordOf writes a name as a word of BIF, in quotes if it has characters other than letters, digits,
// _ and -.
func wordOf(name string) string {
	plain := func(r rune) bool {
		return r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	if strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) < 0 {
		return name
	}
	return `"` + name + `"`
}

func wordsOf(names []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = wordOf(name)
	}
	return strings.Join(list, ", ")
}

// labelsOf returns the values that variables have in a configuration of which the last is fastest.
func (n *Network) labelsOf(scope []int, configuration int) []string {
	labels := make([]string, len(scope))
	for i, v := range slices.Backward(scope) {
		k := len(n.Variables[v].Labels)
		labels[i], configuration = n.Variables[v].Labels[configuration%k], configuration/k
	}
	return labels
}
