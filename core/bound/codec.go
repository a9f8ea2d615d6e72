package bound

import (
	"encoding/binary"
	"errors"
	"math"

	"rcmdplab/core/proof"
)

// What a search knows travels between workers and into storage as bytes:
// integers as varints, numbers as they are, multipliers in single precision
// where that loses nothing. A coder walks the fields of a value in one order
// for both directions, so that reading cannot drift from writing.

// codecVersion is the first byte of everything written.
const codecVersion = 4

// ErrCoding is what every reader of foreign or damaged bytes returns.
var ErrCoding = errors.New("bound: these bytes are not a saved search, or of another version")

// Bytes writes the state.
func (s *State) Bytes() []byte { return encode(func(c *coder) { c.state(s) }) }

// ReadState is the inverse of State.Bytes.
func ReadState(b []byte) (s State, err error) { return s, decode(b, func(c *coder) { c.state(&s) }) }

// Bytes writes the part.
func (p *Part) Bytes() []byte { return encode(func(c *coder) { c.part(p) }) }

// ReadPart is the inverse of Part.Bytes.
func ReadPart(b []byte) (p Part, err error) { return p, decode(b, func(c *coder) { c.part(&p) }) }

// Bytes writes the result of a part.
func (r *PartResult) Bytes() []byte { return encode(func(c *coder) { c.result(r) }) }

// ReadPartResult is the inverse of PartResult.Bytes.
func ReadPartResult(b []byte) (r PartResult, err error) {
	return r, decode(b, func(c *coder) { c.result(&r) })
}

func encode(walk func(*coder)) []byte {
	c := &coder{b: []byte{codecVersion}, writing: true}
	walk(c)
	return c.b
}

func decode(b []byte, walk func(*coder)) error {
	if len(b) == 0 || b[0] != codecVersion {
		return ErrCoding
	}
	c := &coder{b: b[1:]}
	walk(c)
	if c.bad || len(c.b) > 0 {
		return ErrCoding
	}
	return nil
}

// coder writes to the end of b, or reads from its beginning.
type coder struct {
	b       []byte // what is left to read, or written so far
	writing bool
	bad     bool // reading went wrong; all that follows is zero
}

func (c *coder) int(v *int) {
	if c.writing {
		c.b = binary.AppendVarint(c.b, int64(*v))
		return
	}
	x, n := binary.Varint(c.b)
	if c.bad || n <= 0 || x != int64(int(x)) {
		c.bad = true
		*v = 0
		return
	}
	*v, c.b = int(x), c.b[n:]
}

// all codes fields, one after another.
func (c *coder) all(fields ...any) {
	for _, field := range fields {
		switch v := field.(type) {
		case *int:
			c.int(v)
		case *int32:
			as(c, v)
		case *int64:
			as(c, v)
		case *uint64:
			as(c, v)
		case *bool:
			x := 0
			if *v {
				x = 1
			}
			c.int(&x)
			*v = x == 1
			c.bad = c.bad || x < 0 || x > 1
		case *float64:
			c.float(v)
		case *[]float64:
			c.floats(v)
		case *[]int:
			list(c, v, 1, c.int)
		default:
			panic("bound: a field of another kind")
		}
	}
}

// as codes a whole number of another type as an int.
func as[T int32 | int64 | uint64 | proof.StepKind | proof.Target](c *coder, v *T) {
	x := int(*v)
	c.int(&x)
	*v = T(x)
	c.bad = c.bad || int(*v) != x
}

// word codes four bytes.
func (c *coder) word(v *uint32) {
	switch {
	case c.writing:
		c.b = binary.LittleEndian.AppendUint32(c.b, *v)
	case c.bad || len(c.b) < 4:
		c.bad, *v = true, 0
	default:
		*v, c.b = binary.LittleEndian.Uint32(c.b), c.b[4:]
	}
}

func (c *coder) float(v *float64) {
	if c.writing {
		c.b = binary.LittleEndian.AppendUint64(c.b, math.Float64bits(*v))
		return
	}
	if c.bad || len(c.b) < 8 {
		c.bad = true
		*v = 0
		return
	}
	*v, c.b = math.Float64frombits(binary.LittleEndian.Uint64(c.b)), c.b[8:]
}

// count codes a length; each element takes at least size bytes, so that no
// more is allocated than the bytes can hold.
func (c *coder) count(n, size int) int {
	c.int(&n)
	if !c.writing && (n < 0 || n > len(c.b)/size) {
		c.bad = true
		return 0
	}
	return n
}

// floats codes numbers, in single precision when all of them have it.
func (c *coder) floats(v *[]float64) {
	single := true
	if c.writing {
		for _, x := range *v {
			single = single && float64(float32(x)) == x
		}
	}
	c.all(&single)
	if !single {
		list(c, v, 8, c.float)
		return
	}
	list(c, v, 4, func(x *float64) {
		bits := math.Float32bits(float32(*x))
		c.word(&bits)
		*x = float64(math.Float32frombits(bits))
	})
}

// list codes a slice whose elements take at least size bytes each.
func list[T any](c *coder, v *[]T, size int, one func(*T)) {
	n := c.count(len(*v), size)
	if !c.writing {
		*v = nil
		if n > 0 {
			*v = make([]T, n)
		}
	}
	for i := range n {
		if one(&(*v)[i]); c.bad {
			return
		}
	}
}

// maybe codes a pointer.
func maybe[T any](c *coder, v **T, one func(*T)) {
	there := *v != nil
	c.all(&there)
	if !there || c.bad {
		if !c.writing {
			*v = nil
		}
		return
	}
	if !c.writing {
		*v = new(T)
	}
	one(*v)
}

func (c *coder) state(s *State) {
	c.all(&s.LowerBound, &s.ViolationLower, &s.Upper, &s.Excess, &s.Fraction, &s.Target, &s.Relax, &s.Infeasible, &s.Nodes, &s.Steps)
	list(c, &s.Tree, 13, c.treeNode)
	list(c, &s.Open, 14, c.box)
	c.claim(&s.Proof)
	c.claim(&s.ViolationProof)
	list(c, &s.Kernels, 5, func(k *proof.Kernel) { c.all(&k.Rows, &k.Penalty) })
	c.floats(&s.Allow)
	maybe(c, &s.Tensors, c.tensors)
}

func (c *coder) treeNode(n *TreeNode) {
	c.steps(&n.Steps)
	c.all(&n.Pair, &n.At, &n.Left, &n.Right)
}

func (c *coder) node(n *proof.Node) {
	c.steps(&n.Steps)
	c.all(&n.Pair, &n.At)
}

func (c *coder) steps(v *[]proof.Step) {
	list(c, v, 28, func(s *proof.Step) {
		as(c, &s.Kind)
		as(c, &s.Target)
		c.all(&s.M, &s.M2, &s.Of, &s.To, &s.Index, &s.Rho, &s.Value)
		list(c, &s.Rows, 4, func(r *proof.Row) {
			x := uint32(*r)
			c.word(&x)
			*r = proof.Row(x)
		})
		c.floats(&s.Y)
	})
}

func (c *coder) box(b *Box) {
	c.all(&b.Place, &b.Depth, &b.Lower, &b.Upper, &b.OccupancyLow, &b.Occupancy, &b.Ratio, &b.Gain)
}

// claim codes a proof as its document; one that is none is left out.
func (c *coder) claim(v **proof.Claim) {
	maybe(c, v, func(x *proof.Claim) {
		var text []byte
		if c.writing {
			text, _ = x.Encode() // of numbers that are finite: it was recorded
		}
		n := c.count(len(text), 1)
		if c.writing {
			c.b = append(c.b, text...)
			return
		}
		var err error
		if *x, err = proof.Decode(c.b[:n]); err != nil {
			*v = nil
		}
		c.b = c.b[n:]
	})
}

func (c *coder) part(p *Part) {
	c.all(&p.Target, &p.Relax)
	c.box(&p.Box)
	maybe(c, &p.Tensor, c.tensorBox)
	maybe(c, &p.Head, c.tensors)
}

func (c *coder) result(r *PartResult) {
	c.all(&r.Target, &r.Relax, &r.Place, &r.Closed, &r.Boxes, &r.Steps)
	list(c, &r.Nodes, 10, c.node)
	maybe(c, &r.Tensor, c.tensors)
}
