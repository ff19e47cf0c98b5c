package networks

import (
	"strings"

	"breadboard/chains/selector"
)

// ParseXDSL reads a Bayesian network from a document of GeNIe and SMILE:
//
//	<smile><nodes>
//	  <cpt id="rain"><state id="yes"/><state id="no"/><probabilities>0.2 0.8</probabilities></cpt>
//	  <cpt id="grass">...<parents>sprinkler rain</parents><probabilities>...</probabilities></cpt>
//	  <deterministic id="alarm">...<parents>grass</parents><resultingstates>off on</resultingstates></deterministic>
//	</nodes></smile>
//
// Probabilities have the child fastest and the last parent before it; a deterministic node has a
// state for each configuration of its parents. Names are the ids. Nodes of other kinds and dynamic
// networks are errors. Errors name the line and the element.
//
// Source: the GeNIe manual, XDSL file format, and its schema.
func ParseXDSL(data []byte) (*Network, error) {
	root, err := rootOf(data, "smile")
	if err != nil {
		return nil, err
	}
	nodes, err := root.only("nodes")
	if err != nil {
		return nil, err
	}
	for dynamic := range root.all("dynamic") {
		return nil, mistakef(dynamic.line, "<dynamic>: the network is dynamic; unroll it in GeNIe and save that")
	}
	d := newDraft()
	for _, node := range nodes.children {
		v := Variable{Name: node.get("id")}
		if kind := map[string]string{"decision": "a decision", "utility": "a utility", "mau": "a utility"}[node.name]; kind != "" {
			return nil, mistakef(node.line,
				"<%s>: %q is %s, which has no probability; in GeNIe change each decision to a node of the type General, with the probabilities of your policy, and delete utilities",
				node.name, cut(v.Name), kind)
		}
		if node.name != "cpt" && node.name != "deterministic" {
			return nil, mistakef(node.line, "<%s>: %q has no table of probabilities; change it in GeNIe to a node of the type General, or take it out",
				cut(node.name), cut(v.Name))
		}
		for state := range node.all("state") {
			v.Labels = append(v.Labels, state.get("id"))
		}
		if err := d.declare(v, node.line, `write <state id="..."/> for each`); err != nil {
			return nil, err
		}
	}
	for _, node := range nodes.children {
		if err := d.node(node); err != nil {
			return nil, err
		}
	}
	if len(d.variables) == 0 {
		return nil, mistakef(nodes.line, "<nodes> has no <cpt>; is it a network?")
	}
	return d.finish("<probabilities> of %s")
}

// node reads the probabilities of a node of GeNIe.
func (d *draft) node(node *element) error {
	l, err := d.begin(node.line, node.get("id"), strings.Fields(strings.Join(node.texts("parents"), " ")))
	if err != nil {
		return err
	}
	if node.name == "deterministic" {
		return d.states(l, node)
	}
	table, err := node.only("probabilities")
	if err == nil {
		err = d.take(l, table.words())
	}
	return err
}

// states reads which value a node has, given each configuration of its parents.
func (d *draft) states(l *law, node *element) error {
	states, err := node.only("resultingstates")
	if err != nil {
		return err
	}
	c, k := 0, len(d.variables[l.child].Labels)
	for state := range states.words() {
		value := d.valueOf(l.child, state.text)
		switch {
		case value < 0:
			return mistakef(state.line, "<resultingstates>: %q is no value of %s, which has %s", cut(state.text), d.variables[l.child].Name,
				listed(d.variables[l.child].Labels))
		case c < len(l.lines):
			l.values[c*k+value], l.lines[c] = 1, int32(state.line)
		}
		c++
	}
	if c != len(l.lines) {
		return mistakef(states.line, "<resultingstates> of %s has %s; give %d, one for each configuration of its parents", d.variables[l.child].Name,
			selector.Count(c, "state"), len(l.lines))
	}
	d.laws = append(d.laws, *l)
	return nil
}
