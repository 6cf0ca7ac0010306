PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES('built','2026-01-02T00:00:00+00:00');
INSERT INTO meta VALUES('description','');
INSERT INTO meta VALUES('generation','1');
INSERT INTO meta VALUES('indexed','1');
INSERT INTO meta VALUES('state','876cc4e32fb2095ee45e660de126457094c8fd7dce2a26fb3b105bfe4bc2afb3');
INSERT INTO meta VALUES('steps','6');
INSERT INTO meta VALUES('title','v1');
CREATE TABLE documents (
  id       TEXT PRIMARY KEY,   -- d and a hash of the URL
  step     INTEGER NOT NULL,   -- of the crawl, in crawl.db
  url      TEXT NOT NULL,      -- canonical, where it was in the end
  time     TEXT NOT NULL,      -- when it was fetched, ISO 8601
  type     TEXT NOT NULL,      -- MIME type
  bytes    INTEGER NOT NULL,
  digest   TEXT NOT NULL,      -- of the body; equal for equal copies
  reward   REAL NOT NULL,      -- what the goal of the crawl gave
  kind     TEXT NOT NULL,      -- paper, page, or none (nothing that can be shown)
  outcome  TEXT NOT NULL,      -- text, or why there is none (encrypted, damaged, ...)
  sure     REAL NOT NULL,      -- the probability that it is a paper
  title    TEXT NOT NULL,
  abstract TEXT NOT NULL,      -- of a page: its description
  date     TEXT NOT NULL,      -- ISO 8601, as far as it is known: 1999, 1999-05, or empty
  language TEXT NOT NULL,      -- ISO 639-1, or empty
  text     TEXT NOT NULL,      -- all of it
  fields   TEXT NOT NULL       -- JSON: label -> [[text, confidence, page, line], ...]
);
INSERT INTO documents VALUES('dgnqcjvjibfwznr2b',1,'http://www0.example.edu/papers/0.txt','2026-01-01T00:00:01+00:00','text/plain',2789,'769615daf89c13b4d01775d862086d69a36dcf5f0de3e6936c2e3f6833cbed67',1.0,'paper','text',0.7465000000000000524,'Spiders that learn to hunt for papers','And cache the memory crawler cache crawler cache memory packet we query. Crawler that cache memory we of cache to cache that cache cache. Crawler to to of and the of query crawler the to crawler. Of memory we and query is packet that database to crawler cache. The database and cache cache memory to to and packet crawler memory. Cache is and of cache that we is that the cache packet.','1990','en','Spiders that learn to hunt for papers Bob Roe, Emma Brook Department of Computer Science, University of Texas 1990 Abstract And cache the memory crawler cache crawler cache memory packet we query. Crawler that cache memory we of cache to cache that cache cache. Crawler to to of and the of query crawler the to crawler. Of memory we and query is packet that database to crawler cache. The database and cache cache memory to to and packet crawler memory. Cache is and of cache that we is that the cache packet. Cache to we packet the memory memory and to we that the. We is crawler and cache and. 1. Introduction Memory query the packet packet memory that is we is and of. Crawler of of memory packet is of query database we memory that. And the database the packet and we and and query the we. To we database packet to memory of that memory cache query query. To is we the that cache query and cache is crawler crawler. To database cache and cache to cache to of cache we to. We we crawler cache to packet the memory the we the packet. And of cache the packet we packet cache packet the is we. Is crawler crawler of to to of database to the we is. To the is is is query of we packet cache memory query. Cache to of packet memory cache the database to the is to. Database database is packet the is we of database the packet memory. That the we cache crawler that and query and packet packet memory. Query to cache query that of cache is the that of is. That we packet memory we of memory is cache of to of. And cache of query crawler is memory the to query query crawler. Database is that memory that cache to query. We go on,  and on. 2. Method Of database database of query we cache packet of database crawler crawler. Packet and the to that we and that crawler we packet the. Packet of the to to cache packet memory crawler the crawler database. Database and is database the memory to of database and crawler memory. Cache is to memory the database is to cache query memory the. The database memory packet crawler we the cache database is packet the. Query cache of cache is to packet memory and we memory query. Of database we crawler packet to database and packet is database cache. And we query cache query memory memory the crawler database is is. Query and database we that memory we database that query crawler is. To database query we we is that is and the to crawler. Packet query to crawler crawler memory cache query of query memory database. Crawler the to memory database database to memory the packet memory that. Of and database cache packet we cache packet the memory and that. To to query crawler query query is packet cache to memory of. Database cache memory and packet we that and to the cache cache. And that crawler memory query and memory packet. References','{"title":[["Spiders that learn to hunt for papers",0.9999,1,1]],"author":[["Bob Roe, Emma Brook",0.9994,1,2]],"affiliation":[["Department of Computer Science, University of Texas",0.9993,1,3]],"date":[["1990",0.9972,1,4]],"abstract":[["Abstract\nAnd cache the memory crawler cache crawler cache memory packet we query.\nCrawler that cache memory we of cache to cache that cache cache.\nCrawler to to of and the of query crawler the to crawler.\nOf memory we and query is packet that database to crawler cache.\nThe database and cache cache memory to to and packet crawler memory.\nCache is and of cache that we is that the cache packet.",0.9924,1,5]],"note":[["Cache to we packet the memory memory and to we that the.\nWe is crawler and cache and.",0.7312,1,12]],"page":[["+PAGE+",0.9972,1,14]]}');
INSERT INTO documents VALUES('dxmse55lty7fimlbr',2,'http://www.example.edu/group/0','2026-01-01T00:00:02+00:00','text/html',66,'85c86f894fe158f791430a2eeb837f184bd843db7c91c4cad82b478fb67a1510',1.0,'page','text',0.02340000000000000066,'Group 0','','','en','We are the group of spider.','{}');
INSERT INTO documents VALUES('dgk6w6qzw6gpdjccc',4,'http://www1.example.edu/papers/1.txt','2026-01-01T00:00:04+00:00','text/plain',2945,'cef9e03b9e626ea5816d44453b7e808d9e7b28df97a48b45ce11900975a206f3',1.0,'paper','text',0.83579999999999998738,'The strength of weak schedulers in kernels','Policy policy state and of router that state we agent of agent. Policy of to the the policy agent agent we state scheduler is. Is to agent packet packet packet to and that of router we. Of agent router agent agent is the packet state the we agent. And agent that router is state to policy state state packet agent.','1991','en','The strength of weak schedulers in kernels Carla Diaz, Ann Lee Department of Computer Science, University of Texas 1991 Abstract Policy policy state and of router that state we agent of agent. Policy of to the the policy agent agent we state scheduler is. Is to agent packet packet packet to and that of router we. Of agent router agent agent is the packet state the we agent. And agent that router is state to policy state state packet agent. That scheduler of that router and scheduler of to scheduler is of. Scheduler and we of that scheduler the router we of scheduler to. Of is router is that scheduler. 1. Introduction The policy of and agent router router policy policy agent state of. Of agent of is and of scheduler and we router agent and. State agent is router state to state we of to is scheduler. The state the state that router the and and of the that. To is policy is is the scheduler of we state packet agent. Scheduler state packet and we that to of scheduler is the policy. Scheduler to policy scheduler the to policy agent state is to we. Of router scheduler packet state is state scheduler and that of agent. Packet router packet state we packet to agent and state state scheduler. Packet packet router we scheduler and the and router we of state. Agent and state is scheduler that packet policy is the router and. Packet packet we scheduler agent we packet scheduler packet of agent state. Is packet router to and and router policy router state state state. Policy router policy packet to state agent router we the policy router. State policy packet we packet router router we to is and and. We agent the to policy and the and that is is scheduler. Scheduler agent is we scheduler router state agent. We go on, as was shown before [1], and on. 2. Method To and is the scheduler to to to agent that that policy. And router packet and that that router packet scheduler is of that. Agent is router is scheduler agent and the scheduler policy of that. Of policy the the router the that packet we is router of. And policy agent that agent router to router router that the is. Policy state to packet scheduler policy is agent the policy policy the. Is scheduler and state to router agent of packet is state policy. State that is router to agent that of that scheduler policy that. Agent packet agent we and the agent that the packet the state. That and is of state policy policy router scheduler policy and to. And of of scheduler state agent the packet agent scheduler state router. Agent to the packet the that to that packet scheduler to the. The of policy scheduler of to we policy policy state we of. We and state the agent packet state and packet the of to. State and the packet is the of packet policy policy of policy. We of of we we to router the to to is that. Packet the agent that to to the state. References [1] B. Roe and E. Brook. Spiders that learn to hunt for papers. Machine Learning, 12(2):101-120, 1990.','{"title":[["The strength of weak schedulers in kernels",0.9999,1,1]],"author":[["Carla Diaz, Ann Lee",0.9998,1,2]],"affiliation":[["Department of Computer Science, University of Texas",0.9992,1,3]],"date":[["1991",0.9974,1,4]],"abstract":[["Abstract\nPolicy policy state and of router that state we agent of agent.\nPolicy of to the the policy agent agent we state scheduler is.\nIs to agent packet packet packet to and that of router we.\nOf agent router agent agent is the packet state the we agent.\nAnd agent that router is state to policy state state packet agent.",0.9995,1,5]],"note":[["That scheduler of that router and scheduler of to scheduler is of.\nScheduler and we of that scheduler the router we of scheduler to.\nOf is router is that scheduler.",0.7894,1,11]],"page":[["+PAGE+",0.9978,1,14]]}');
INSERT INTO documents VALUES('d2ru27kzyzwvowb2v',5,'http://copies.example.org/1.txt','2026-01-01T00:00:05+00:00','text/plain',2945,'cef9e03b9e626ea5816d44453b7e808d9e7b28df97a48b45ce11900975a206f3',1.0,'paper','text',0.83579999999999998738,'The strength of weak schedulers in kernels','Policy policy state and of router that state we agent of agent. Policy of to the the policy agent agent we state scheduler is. Is to agent packet packet packet to and that of router we. Of agent router agent agent is the packet state the we agent. And agent that router is state to policy state state packet agent.','1991','en','The strength of weak schedulers in kernels Carla Diaz, Ann Lee Department of Computer Science, University of Texas 1991 Abstract Policy policy state and of router that state we agent of agent. Policy of to the the policy agent agent we state scheduler is. Is to agent packet packet packet to and that of router we. Of agent router agent agent is the packet state the we agent. And agent that router is state to policy state state packet agent. That scheduler of that router and scheduler of to scheduler is of. Scheduler and we of that scheduler the router we of scheduler to. Of is router is that scheduler. 1. Introduction The policy of and agent router router policy policy agent state of. Of agent of is and of scheduler and we router agent and. State agent is router state to state we of to is scheduler. The state the state that router the and and of the that. To is policy is is the scheduler of we state packet agent. Scheduler state packet and we that to of scheduler is the policy. Scheduler to policy scheduler the to policy agent state is to we. Of router scheduler packet state is state scheduler and that of agent. Packet router packet state we packet to agent and state state scheduler. Packet packet router we scheduler and the and router we of state. Agent and state is scheduler that packet policy is the router and. Packet packet we scheduler agent we packet scheduler packet of agent state. Is packet router to and and router policy router state state state. Policy router policy packet to state agent router we the policy router. State policy packet we packet router router we to is and and. We agent the to policy and the and that is is scheduler. Scheduler agent is we scheduler router state agent. We go on, as was shown before [1], and on. 2. Method To and is the scheduler to to to agent that that policy. And router packet and that that router packet scheduler is of that. Agent is router is scheduler agent and the scheduler policy of that. Of policy the the router the that packet we is router of. And policy agent that agent router to router router that the is. Policy state to packet scheduler policy is agent the policy policy the. Is scheduler and state to router agent of packet is state policy. State that is router to agent that of that scheduler policy that. Agent packet agent we and the agent that the packet the state. That and is of state policy policy router scheduler policy and to. And of of scheduler state agent the packet agent scheduler state router. Agent to the packet the that to that packet scheduler to the. The of policy scheduler of to we policy policy state we of. We and state the agent packet state and packet the of to. State and the packet is the of packet policy policy of policy. We of of we we to router the to to is that. Packet the agent that to to the state. References [1] B. Roe and E. Brook. Spiders that learn to hunt for papers. Machine Learning, 12(2):101-120, 1990.','{"title":[["The strength of weak schedulers in kernels",0.9999,1,1]],"author":[["Carla Diaz, Ann Lee",0.9998,1,2]],"affiliation":[["Department of Computer Science, University of Texas",0.9992,1,3]],"date":[["1991",0.9974,1,4]],"abstract":[["Abstract\nPolicy policy state and of router that state we agent of agent.\nPolicy of to the the policy agent agent we state scheduler is.\nIs to agent packet packet packet to and that of router we.\nOf agent router agent agent is the packet state the we agent.\nAnd agent that router is state to policy state state packet agent.",0.9995,1,5]],"note":[["That scheduler of that router and scheduler of to scheduler is of.\nScheduler and we of that scheduler the router we of scheduler to.\nOf is router is that scheduler.",0.7894,1,11]],"page":[["+PAGE+",0.9978,1,14]]}');
INSERT INTO documents VALUES('dv56vzjiw2nflrnlg',6,'http://www.example.edu/bad.pdf','2026-01-01T00:00:06+00:00','application/pdf',11,'4b2b12ddf8d5328101889a315b94b7207c938c01b895b14f9ddeb2598d50df0f',1.0,'none','damaged',0.0,'','','','','','{}');
CREATE TABLE references_ (
  document TEXT NOT NULL REFERENCES documents (id),
  number   INTEGER NOT NULL,   -- in the list, from 1
  text     TEXT NOT NULL,      -- as printed
  page     INTEGER NOT NULL,   -- from 1
  line     INTEGER NOT NULL,   -- on the page, from 1
  fields   TEXT NOT NULL,      -- JSON: label -> [[text, confidence, page, line], ...]
  contexts TEXT NOT NULL,      -- JSON: the sentences that cite it
  PRIMARY KEY (document, number)
);
INSERT INTO references_ VALUES('dgk6w6qzw6gpdjccc',1,'[1] B. Roe and E. Brook. Spiders that learn to hunt for papers. Machine Learning, 12(2):101-120, 1990.',1,52,'{"author":[["B. Roe and E. Brook.",0.9985,1,52]],"title":[["Spiders that learn to hunt for papers.",0.9998,1,52]],"journal":[["Machine Learning,",0.9999,1,52]],"volume":[["12(2):",0.9995,1,52]],"pages":[["101-120,",0.9997,1,52]],"date":[["1990.",0.9996,1,52]]}','["s and and. We agent the to policy and the and that is is scheduler. Scheduler agent is we scheduler router state agent. We go on, as was shown before [1], and on. 2. Method To and is the scheduler to to to agent that that policy. And router packet and that that router packet scheduler is of that. Agent"]');
INSERT INTO references_ VALUES('d2ru27kzyzwvowb2v',1,'[1] B. Roe and E. Brook. Spiders that learn to hunt for papers. Machine Learning, 12(2):101-120, 1990.',1,52,'{"author":[["B. Roe and E. Brook.",0.9985,1,52]],"title":[["Spiders that learn to hunt for papers.",0.9998,1,52]],"journal":[["Machine Learning,",0.9999,1,52]],"volume":[["12(2):",0.9995,1,52]],"pages":[["101-120,",0.9997,1,52]],"date":[["1990.",0.9996,1,52]]}','["s and and. We agent the to policy and the and that is is scheduler. Scheduler agent is we scheduler router state agent. We go on, as was shown before [1], and on. 2. Method To and is the scheduler to to to agent that that policy. And router packet and that that router packet scheduler is of that. Agent"]');
CREATE TABLE works (
  id        TEXT PRIMARY KEY,  -- w and a hash of its first document or reference
  kind      TEXT NOT NULL,     -- paper, page, cited
  title     TEXT NOT NULL,
  year      INTEGER,
  date      TEXT NOT NULL,
  venue     TEXT NOT NULL,
  volume    TEXT NOT NULL,
  pages     TEXT NOT NULL,     -- 101-120
  abstract  TEXT NOT NULL,
  language  TEXT NOT NULL,
  site      TEXT NOT NULL,     -- the host of its best copy
  document  TEXT,              -- its best copy; NULL for what is only cited
  cited_by  INTEGER NOT NULL,  -- by how many works here
  cites     INTEGER NOT NULL,
  rank      REAL NOT NULL,     -- PageRank among citations, times the number of works
  facts     TEXT NOT NULL      -- JSON: field -> [value, confidence, where it is from]
);
INSERT INTO works VALUES('wgk6w6qzw6gpdjccc','paper','The strength of weak schedulers in kernels',1991,'1991','','','','Policy policy state and of router that state we agent of agent. Policy of to the the policy agent agent we state scheduler is. Is to agent packet packet packet to and that of router we. Of agent router agent agent is the packet state the we agent. And agent that router is state to policy state state packet agent.','en','www1.example.edu','dgk6w6qzw6gpdjccc',0,1,0.77922100000000005248,'{"authors": ["Carla Diaz; Ann Lee", 1.0, "header"], "title": ["The strength of weak schedulers in kernels", 1.0, "header"], "year": ["1991", 1.0, "header"]}');
INSERT INTO works VALUES('wgnqcjvjibfwznr2b','paper','Spiders that learn to hunt for papers',1990,'1990','Machine Learning','12(2)','101-120','And cache the memory crawler cache crawler cache memory packet we query. Crawler that cache memory we of cache to cache that cache cache. Crawler to to of and the of query crawler the to crawler. Of memory we and query is packet that database to crawler cache. The database and cache cache memory to to and packet crawler memory. Cache is and of cache that we is that the cache packet.','en','www0.example.edu','dgnqcjvjibfwznr2b',1,0,1.441557999999999895,'{"authors": ["Bob Roe; Emma Brook", 1.0, "header"], "pages": ["101-120", 1.0, "references"], "title": ["Spiders that learn to hunt for papers", 1.0, "header"], "venue": ["Machine Learning", 1.0, "references"], "volume": ["12(2)", 1.0, "references"], "year": ["1990", 1.0, "header"]}');
INSERT INTO works VALUES('wxmse55lty7fimlbr','page','Group 0',NULL,'','','','','','en','www.example.edu','dxmse55lty7fimlbr',0,0,0.77922100000000005248,'{"title": ["Group 0", 1.0, "dxmse55lty7fimlbr"]}');
CREATE TABLE copies (
  document TEXT PRIMARY KEY REFERENCES documents (id),
  work     TEXT NOT NULL REFERENCES works (id)
) WITHOUT ROWID;
INSERT INTO copies VALUES('d2ru27kzyzwvowb2v','wgk6w6qzw6gpdjccc');
INSERT INTO copies VALUES('dgk6w6qzw6gpdjccc','wgk6w6qzw6gpdjccc');
INSERT INTO copies VALUES('dgnqcjvjibfwznr2b','wgnqcjvjibfwznr2b');
INSERT INTO copies VALUES('dxmse55lty7fimlbr','wxmse55lty7fimlbr');
CREATE TABLE cited (            -- which work a reference is to
  document TEXT NOT NULL,
  number   INTEGER NOT NULL,
  work     TEXT NOT NULL REFERENCES works (id),
  sure     REAL NOT NULL,
  PRIMARY KEY (document, number)
) WITHOUT ROWID;
INSERT INTO cited VALUES('d2ru27kzyzwvowb2v',1,'wgnqcjvjibfwznr2b',1.0);
INSERT INTO cited VALUES('dgk6w6qzw6gpdjccc',1,'wgnqcjvjibfwznr2b',1.0);
CREATE TABLE citations (        -- works by works, each pair once
  citing TEXT NOT NULL REFERENCES works (id),
  cited  TEXT NOT NULL REFERENCES works (id),
  PRIMARY KEY (citing, cited)
) WITHOUT ROWID;
INSERT INTO citations VALUES('wgk6w6qzw6gpdjccc','wgnqcjvjibfwznr2b');
CREATE TABLE authors (
  id     TEXT PRIMARY KEY,     -- lee-a: family name and initial, for a URL
  name   TEXT NOT NULL,        -- the fullest form that was seen
  works  INTEGER NOT NULL      -- how many there are, those only cited not counted
) WITHOUT ROWID;
INSERT INTO authors VALUES('brook-e','Emma Brook',1);
INSERT INTO authors VALUES('diaz-c','Carla Diaz',1);
INSERT INTO authors VALUES('lee-a','Ann Lee',1);
INSERT INTO authors VALUES('roe-b','Bob Roe',1);
CREATE TABLE authorship (
  work     TEXT NOT NULL REFERENCES works (id),
  position INTEGER NOT NULL,   -- from 1
  author   TEXT NOT NULL REFERENCES authors (id),
  name     TEXT NOT NULL,      -- as this work has it
  PRIMARY KEY (work, position)
) WITHOUT ROWID;
INSERT INTO authorship VALUES('wgk6w6qzw6gpdjccc',1,'diaz-c','Carla Diaz');
INSERT INTO authorship VALUES('wgk6w6qzw6gpdjccc',2,'lee-a','Ann Lee');
INSERT INTO authorship VALUES('wgnqcjvjibfwznr2b',1,'roe-b','Bob Roe');
INSERT INTO authorship VALUES('wgnqcjvjibfwznr2b',2,'brook-e','Emma Brook');
CREATE TABLE topics (           -- the tree, in the order of its file
  id       TEXT PRIMARY KEY,   -- machine-learning/neural-networks: a path for a URL
  parent   TEXT,               -- NULL at the top
  position INTEGER NOT NULL,   -- in preorder
  name     TEXT NOT NULL,
  note     TEXT NOT NULL,
  works    INTEGER NOT NULL,   -- in it and below it
  words    TEXT NOT NULL       -- JSON: what its works talk about, the most telling first
) WITHOUT ROWID;
INSERT INTO topics VALUES('learning',NULL,4,'Learning','',3,'["of", "is", "packet", "the", "we"]');
INSERT INTO topics VALUES('systems',NULL,1,'Systems','',3,'["to", "and", "that", "spider"]');
INSERT INTO topics VALUES('systems/databases','systems',3,'Databases','',3,'["to", "and", "that", "spider"]');
INSERT INTO topics VALUES('systems/operating-systems','systems',2,'Operating systems','',3,'["of", "packet", "is", "the", "we"]');
CREATE TABLE placed (           -- the topics of works, the most likely first
  work  TEXT NOT NULL REFERENCES works (id),
  topic TEXT NOT NULL REFERENCES topics (id),
  sure  REAL NOT NULL,
  PRIMARY KEY (work, topic)
) WITHOUT ROWID;
INSERT INTO placed VALUES('wgk6w6qzw6gpdjccc','learning',0.3321000000000000063);
INSERT INTO placed VALUES('wgk6w6qzw6gpdjccc','systems/databases',0.33400000000000001909);
INSERT INTO placed VALUES('wgk6w6qzw6gpdjccc','systems/operating-systems',0.33400000000000001909);
INSERT INTO placed VALUES('wgnqcjvjibfwznr2b','learning',0.32969999999999999307);
INSERT INTO placed VALUES('wgnqcjvjibfwznr2b','systems/databases',0.33519999999999999795);
INSERT INTO placed VALUES('wgnqcjvjibfwznr2b','systems/operating-systems',0.33519999999999999795);
INSERT INTO placed VALUES('wxmse55lty7fimlbr','learning',0.325900000000000023);
INSERT INTO placed VALUES('wxmse55lty7fimlbr','systems/databases',0.33450000000000001953);
INSERT INTO placed VALUES('wxmse55lty7fimlbr','systems/operating-systems',0.33450000000000001953);
CREATE TABLE seminal (          -- the works that matter most to each topic
  topic    TEXT NOT NULL REFERENCES topics (id),
  position INTEGER NOT NULL,
  work     TEXT NOT NULL REFERENCES works (id),
  PRIMARY KEY (topic, position)
) WITHOUT ROWID;
INSERT INTO seminal VALUES('systems',1,'wgnqcjvjibfwznr2b');
INSERT INTO seminal VALUES('systems',2,'wgk6w6qzw6gpdjccc');
INSERT INTO seminal VALUES('systems',3,'wxmse55lty7fimlbr');
INSERT INTO seminal VALUES('systems/operating-systems',1,'wgnqcjvjibfwznr2b');
INSERT INTO seminal VALUES('systems/operating-systems',2,'wgk6w6qzw6gpdjccc');
INSERT INTO seminal VALUES('systems/operating-systems',3,'wxmse55lty7fimlbr');
CREATE TABLE moved (            -- former names of works, for old links
  old TEXT PRIMARY KEY,
  new TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE indexed (          -- what the index holds of each work
  work   TEXT PRIMARY KEY,
  digest TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO "indexed" VALUES('wgk6w6qzw6gpdjccc','27wyq3zhmeszzrvt');
INSERT INTO "indexed" VALUES('wgnqcjvjibfwznr2b','dinkcbhs653ga27q');
INSERT INTO "indexed" VALUES('wxmse55lty7fimlbr','dfyhslqhiwnscjvx');
CREATE INDEX documents_step ON documents (step, id);
CREATE INDEX documents_digest ON documents (digest);
CREATE INDEX works_kind ON works (kind, id);
CREATE INDEX works_cited_by ON works (cited_by DESC, id);
CREATE INDEX works_date ON works (date DESC, cited_by DESC, id);
CREATE INDEX copies_of ON copies (work);
CREATE INDEX cited_work ON cited (work);
CREATE INDEX citations_cited ON citations (cited, citing);
CREATE INDEX authorship_author ON authorship (author, work);
CREATE INDEX placed_topic ON placed (topic, work);
COMMIT;
