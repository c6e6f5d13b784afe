// The deeds of the golden table, a file each: by which doors they are done.

import * as interface_ from './interface.mjs';
import * as pages from './pages.mjs';
import { admin } from './writers.mjs';

const ofComment = 'Columns: the status of the comment.';
const ofProduct = 'Columns: the status of the comment that {owner} has written of the product before.';
const inAll = (sections) => sections.map((section) => ({ ...section, houses: true }));

const factsAreTold = (section) => ({ ...section, prepare: (stage, place, writer, column) => interface_.factsAreTold(stage, place, column, admin) });

export const deeds = [
  { file: 'post', head: `A comment is posted. ${ofProduct}`, sections: inAll([...interface_.post, ...pages.form]) },
  { file: 'edit', head: `A comment is edited. ${ofComment}`, sections: inAll([...interface_.edit, ...pages.edit]) },
  { file: 'remove', head: `A comment is removed. ${ofComment}`, sections: inAll([...interface_.remove, ...pages.remove]) },
  { file: 'decide', head: `A comment is published or rejected, or gets a note. ${ofComment}`, sections: [...interface_.decide, ...pages.decide] },
  { file: 'undo', head: `A decision is taken back. ${ofComment}`, sections: [...interface_.undo, ...pages.undo] },
  { file: 'report', head: `A comment is reported; one report holds it. ${ofComment}`, sections: inAll([...interface_.report, ...pages.report]) },
  { file: 'vote', head: `A customer votes. ${ofComment}`, sections: inAll([...interface_.vote, ...pages.vote]) },
  { file: 'reply', head: `The shop replies. ${ofComment}`, sections: [...interface_.reply, ...pages.reply] },
  { file: 'invite', head: 'Customers are invited.', sections: inAll(interface_.invite) },
  { file: 'customer', head: `What is kept of {owner} is exported, or erased. ${ofComment}`, sections: interface_.customers },
  { file: 'facts', head: 'Facts of a product are told, forgotten or read. Columns: whether there are some.', sections: interface_.product.map(factsAreTold) },
  { file: 'move', head: `A product moves to another one. ${ofComment}`, sections: interface_.moved },
  { file: 'import', head: `Comments are imported. ${ofComment}`, sections: interface_.imported },
  { file: 'read', head: `A comment is read. ${ofComment}`, sections: [...interface_.read, ...pages.read] },
  { file: 'changes', head: 'What happened to comments is read.', sections: inAll(interface_.changes) },
  { file: 'sign-in', head: 'Moderators sign in and out, and see the queue.', sections: pages.signs },
];
