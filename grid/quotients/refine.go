package quotients

import "slices"

// refine returns the coarsest equitable partition of the nodes of a graph that refines the given
// classes: all nodes of a class have the same number of edges into each class. Classes are numbered
// from 0, and adjacent appends the nodes at the other ends of the edges of a node. An edge is
// listed at both of its ends, and two nodes may be joined by several.
//
// Each class in turn splits all others by their numbers of edges into it. Of the parts of a class
// that is split, the largest need not split others again: its numbers are those of the whole less
// those of the other parts. So a node is visited O(log nodes) times, and the time is O(edges log
// nodes), with 17 bytes for each node.
//
// Source: Paige and Tarjan 1987; Derisavi, Hermanns and Sanders 2003.
func refine(classes []int32, adjacent func(dst []int32, x int32) []int32) []int32 {
	p := newPartition(classes)
	count := make([]int32, len(classes)) // of the edges of a node into the splitter; zero between splitters
	var splitter, touched, split, next []int32
	for len(p.queue) > 0 {
		c := p.queue[len(p.queue)-1]
		p.queue = p.queue[:len(p.queue)-1]
		p.queued[c] = false
		splitter = append(splitter[:0], p.nodesOf(c)...) // a copy, since the splitter may be split itself
		touched = touched[:0]
		split = split[:0]
		for _, x := range splitter {
			next = adjacent(next[:0], x)
			for _, y := range next {
				if count[y] == 0 {
					touched = append(touched, y)
				}
				count[y]++
			}
		}
		for _, y := range touched {
			if c := p.class[y]; p.mark(y) == 1 {
				split = append(split, c)
			}
		}
		for _, c := range split {
			p.splitClass(c, count)
		}
		for _, y := range touched {
			count[y] = 0
		}
	}
	return p.class
}

// partition is a partition of nodes into classes, with a queue of the classes by which others are
// still to be split.
type partition struct {
	class  []int32 // of each node
	nodes  []int32 // class by class
	place  []int32 // of each node in nodes
	spans  []span  // of each class
	queue  []int32
	queued []bool // of each class
}

// span is where the nodes of a class stand. The first of them, as many as marked, are those that a
// splitter has an edge to.
type span struct{ first, end, marked int32 }

func newPartition(classes []int32) *partition {
	p := &partition{
		class: slices.Clone(classes),
		nodes: make([]int32, len(classes)),
		place: make([]int32, len(classes)),
	}
	p.spans = make([]span, slices.Max(classes)+1)
	for _, c := range classes {
		p.spans[c].end++
	}
	first := int32(0)
	for c := range p.spans {
		size := p.spans[c].end
		p.spans[c] = span{first: first, end: first}
		first += size
		p.enqueueClass(int32(c))
	}
	for x, c := range classes {
		at := p.spans[c].end
		p.nodes[at], p.place[x] = int32(x), at
		p.spans[c].end++
	}
	return p
}

// nodesOf returns the nodes of a class.
func (p *partition) nodesOf(c int32) []int32 { return p.nodes[p.spans[c].first:p.spans[c].end] }

// enqueueClass puts a class that is not there into the queue.
func (p *partition) enqueueClass(c int32) {
	for int(c) >= len(p.queued) {
		p.queued = append(p.queued, false)
	}
	p.queue, p.queued[c] = append(p.queue, c), true
}

// mark moves a node to those of its class that are marked, and returns how many they are.
func (p *partition) mark(y int32) int32 {
	s := &p.spans[p.class[y]]
	at := p.place[y]
	to := s.first + s.marked
	other := p.nodes[to]
	p.nodes[to], p.nodes[at] = y, other
	p.place[y], p.place[other] = to, at
	s.marked++
	return s.marked
}

// splitClass splits a class by the counts of its nodes, and removes the marks. Nodes that are not
// marked have the count zero. The largest part keeps the number of the class, and its place in the
// queue if it has one. The others get new numbers and are queued.
func (p *partition) splitClass(c int32, count []int32) {
	s := p.spans[c]
	p.spans[c].marked = 0
	marked := p.nodes[s.first : s.first+s.marked]
	slices.SortFunc(marked, func(x, y int32) int { return int(count[x] - count[y]) })
	var parts []span
	for i, x := range marked {
		p.place[x] = s.first + int32(i)
		if i == 0 || count[x] != count[marked[i-1]] {
			parts = append(parts, span{first: s.first + int32(i)})
		}
		parts[len(parts)-1].end = s.first + int32(i) + 1
	}
	if rest := (span{first: s.first + s.marked, end: s.end}); rest.first < rest.end {
		parts = append(parts, rest)
	}
	largest := 0
	for i, part := range parts {
		if part.end-part.first > parts[largest].end-parts[largest].first {
			largest = i
		}
	}
	p.spans[c] = parts[largest]
	for i, part := range parts {
		if i == largest {
			continue
		}
		number := int32(len(p.spans))
		p.spans = append(p.spans, part)
		for _, x := range p.nodesOf(number) {
			p.class[x] = number
		}
		p.enqueueClass(number)
	}
}

// inOrder renumbers classes in the order of their first nodes, and returns how many there are.
func inOrder(classes []int32) (n int) {
	numbers := make([]int32, slices.Max(classes)+1) // one more than the new number, or zero
	for x, c := range classes {
		if numbers[c] == 0 {
			n++
			numbers[c] = int32(n)
		}
		classes[x] = numbers[c] - 1
	}
	return n
}
